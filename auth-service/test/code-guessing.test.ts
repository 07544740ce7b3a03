import { expectError } from '@platform/shared/testing/answers';
import { ACCOUNT_KINDS } from '@platform/shared/testing/auth-client';
import type { CodeClient } from '@platform/shared/testing/code-client';
import { expect } from 'chai';
import type { Response } from 'supertest';
import { otherThan, type RunningCodeService, useCodeService } from './code-service.ts';

type Coded = {
  code: string;
  attempt: (code: string) => Promise<Response>;
  resend: () => Promise<string>;
};

type Purpose = {
  name: string;
  success: number;
  begin: (client: CodeClient, service: RunningCodeService) => Promise<Coded>;
};

const PURPOSES: Purpose[] = [
  {
    name: 'that verifies an e-mail',
    success: 200,
    begin: async (client, { codeFor }) => {
      const account = await client.createAccount();
      const device = await client.openDevice(account);
      const resend = async () => {
        expect((await client.sendVerificationCode(device)).status).to.equal(200);
        return await codeFor(account.email);
      };
      return { code: await resend(), attempt: (code) => client.verifyEmail(device, { code }), resend };
    },
  },
  {
    name: 'that resets a password',
    success: 204,
    begin: async (client, { codeFor }) => {
      const { email } = await client.createAccount();
      const resend = async () => {
        expect((await client.sendResetCode({ email })).status).to.equal(200);
        return await codeFor(email);
      };
      const attempt = (code: string) =>
        client.resetPassword({ email, code, newPassword: 'A better horse 2' });
      return { code: await resend(), attempt, resend };
    },
  },
];

const times = <Result>(count: number, work: (index: number) => Result): Result[] =>
  Array.from({ length: count }, (_, index) => work(index));

/** Never the code itself. */
const wrongCodes = (code: string, count: number): string[] => {
  let wrong = code;
  return times(count, () => {
    wrong = otherThan(wrong);
    return wrong;
  });
};

for (const { name, success, begin } of PURPOSES)
  describe(`A code ${name}`, () => {
    const service = useCodeService();

    for (const kind of ACCOUNT_KINDS)
      describe(`for one of the ${kind.plural}`, () => {
        const withCode = () => begin(service().client(kind), service());
        const tryWrongly = async ({ code, attempt }: Coded, count: number) => {
          for (const wrong of wrongCodes(code, count)) expectError(await attempt(wrong), 400, 'CODE_INVALID');
        };

        it('When four tries were wrong, then the fifth, right one succeeds', async () => {
          const coded = await withCode();
          await tryWrongly(coded, 4);
          expect((await coded.attempt(coded.code)).status).to.equal(success);
        });

        it('When five tries were wrong, then the sixth, right one is refused, and so is every later one', async () => {
          const coded = await withCode();
          await tryWrongly(coded, 5);
          expectError(await coded.attempt(coded.code), 400, 'CODE_INVALID');
          expectError(await coded.attempt(coded.code), 400, 'CODE_INVALID');
        });

        it('When the tries are used up, then the next code has five of its own', async () => {
          const coded = await withCode();
          await tryWrongly(coded, 6);
          await service().redis.passTime(120);
          const code = await coded.resend();
          await tryWrongly({ ...coded, code }, 4);
          expect((await coded.attempt(code)).status).to.equal(success);
        });

        it('When the right code is sent fifty times at once, then one succeeds', async () => {
          const { code, attempt } = await withCode();
          const statuses = (await Promise.all(times(50, () => attempt(code)))).map(({ status }) => status);
          expect(statuses.filter((status) => status === success).length).to.equal(1);
          // One that was late finds the e-mail verified.
          expect(statuses.filter((status) => ![success, 400, 409].includes(status))).to.deep.equal([]);
        });

        it('When fifty wrong codes are sent at once, then none succeeds, and the right one is dead', async () => {
          const coded = await withCode();
          const answers = await Promise.all(wrongCodes(coded.code, 50).map(coded.attempt));
          for (const answer of answers) expectError(answer, 400, 'CODE_INVALID');
          expectError(await coded.attempt(coded.code), 400, 'CODE_INVALID');
        });

        it('When four wrong codes are sent at once, then four are counted and no more', async () => {
          const coded = await withCode();
          await Promise.all(wrongCodes(coded.code, 4).map(coded.attempt));
          expect((await coded.attempt(coded.code)).status).to.equal(success);
        });

        it('When five tries were wrong, then not one of fifty right ones at once succeeds', async () => {
          const coded = await withCode();
          await tryWrongly(coded, 5);
          const answers = await Promise.all(times(50, () => coded.attempt(coded.code)));
          for (const answer of answers) expectError(answer, 400, 'CODE_INVALID');
        });
      });
  });
