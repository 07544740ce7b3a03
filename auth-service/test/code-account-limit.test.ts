import { CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { expectError, observable } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { type Coded, guessFromNetworks, PURPOSES, RESET, strangerAddress, times } from './code-purposes.ts';
import { useCodeService } from './code-service.ts';

const DAY_SECONDS = 86_400;
const NEW_PASSWORD = 'A better horse 2';
/** Not likely to be the code, and counted as wrong like any other. */
const GUESS = '000000';

const expectLocked = (answer: HttpResponse, least: number, most: number): void => {
  expectError(answer, 429, 'RATE_LIMITED');
  expect(Number(answer.headers['retry-after'])).to.be.within(least, most);
};

describe('The account limit for wrong e-mail codes', () => {
  const service = useCodeService();
  const client = () => service().client(CUSTOMER);

  /** Twenty for each code; returns the newest code, at which `count % 20` were guessed, or the next one. */
  const guessWrongly = async (coded: Coded, count: number): Promise<string> => {
    let { code } = coded;
    for (let left = count; left > 0; left -= 20) {
      for (const answer of await guessFromNetworks({ ...coded, code }, Math.min(left, 20)))
        expectError(answer, 400, 'CODE_INVALID');
      if (left >= 20) code = await coded.resend();
    }
    return code;
  };

  for (const { name, success, begin } of PURPOSES)
    describe(`for a code ${name}`, () => {
      it('accepts the right code after 99 wrong ones in a day', async () => {
        const coded = await begin(client(), service());
        const code = await guessWrongly(coded, 99);
        expect((await coded.attempt(code)).status).to.equal(success);
      });

      it('refuses even the right code after 100 wrong ones in a day, with Retry-After', async () => {
        const coded = await begin(client(), service());
        const code = await guessWrongly(coded, 100);
        // Five resends were two minutes each.
        expectLocked(await coded.attempt(code), DAY_SECONDS - 660, DAY_SECONDS - 600);
      });

      it('forgets a wrong code after a day, one by one', async () => {
        const coded = await begin(client(), service());
        await guessWrongly(coded, 60);
        await service().redis.passTime(DAY_SECONDS / 2);
        const code = await guessWrongly({ ...coded, code: await coded.resend() }, 40);
        expectLocked(await coded.attempt(code), 1, DAY_SECONDS / 2);
        await service().redis.passTime(DAY_SECONDS / 2);
        await guessWrongly({ ...coded, code: await coded.resend() }, 60);
        expectLocked(await coded.attempt(GUESS), 1, DAY_SECONDS / 2);
      });

      it('lets one of twenty guesses at once through when 99 were wrong', async () => {
        const coded = await begin(client(), service());
        await guessWrongly(coded, 99);
        const answers = await guessFromNetworks({ ...coded, code: await coded.resend() }, 20);
        expect(answers.map(({ body }) => body.code).sort()).to.deep.equal([
          'CODE_INVALID',
          ...Array(19).fill('RATE_LIMITED'),
        ]);
      });
    });

  it('counts the wrong codes of both purposes and of every kind together', async () => {
    const account = await client().createAccount();
    const device = await client().openDevice(account);
    const { email } = account;
    const sendAll = async () => {
      await service().redis.passTime(120);
      const answers = [await client().sendVerificationCode(device)];
      for (const kind of [CUSTOMER, EMPLOYEE])
        answers.push(await service().client(kind).sendResetCode({ email }));
      for (const { status, text } of answers) expect(status, text).to.equal(200);
    };
    const attempts: Coded['attempt'][] = [CUSTOMER, EMPLOYEE].map(
      (kind) => (code, address) =>
        service()
          .client(kind)
          .resetPassword({ email, code, newPassword: NEW_PASSWORD }, { 'X-Forwarded-For': address }),
    );
    attempts.push((code, address) => client().verifyEmail(device, { code }, { 'X-Forwarded-For': address }));
    for (const count of [20, 14]) {
      await sendAll();
      for (const attempt of attempts) await guessFromNetworks({ code: GUESS, attempt }, count);
    }
    // 3 * (20 + 14) are more than a hundred.
    for (const attempt of attempts) expectError(await attempt(GUESS), 429, 'RATE_LIMITED');
  });

  it('counts no right code, and keeps the wrong ones after it', async () => {
    const coded = await RESET.begin(client(), service());
    const right = await guessWrongly(coded, 90);
    expect((await coded.attempt(right)).status).to.equal(204);
    await guessFromNetworks({ ...coded, code: await coded.resend() }, 9);
    const next = await coded.resend();
    expect((await coded.attempt(next)).status).to.equal(204);
    await guessFromNetworks({ ...coded, code: await coded.resend() }, 1);
    expectError(await coded.attempt(GUESS), 429, 'RATE_LIMITED');
  });

  it('does not count guesses where there is no code, or that another limit refuses', async () => {
    const { email } = await client().createAccount();
    const attempt: Coded['attempt'] = (code, address) =>
      client().resetPassword({ email, code, newPassword: NEW_PASSWORD }, { 'X-Forwarded-For': address });
    const guess = () => Promise.all(times(120, (index) => attempt(GUESS, strangerAddress(index))));
    for (const answer of await guess()) expectError(answer, 400, 'CODE_INVALID');
    expect((await client().sendResetCode({ email })).status).to.equal(200);
    for (const answer of await guess()) expectError(answer, 400, 'CODE_INVALID');
    await service().redis.passTime(120);
    expect((await client().sendResetCode({ email })).status).to.equal(200);
    expect((await attempt(await service().codeFor(email))).status).to.equal(204);
  });

  it('answers for an unknown e-mail what it answers for a known one', async () => {
    const answersFor = async (email: string) => {
      const attempt: Coded['attempt'] = (code, address) =>
        client().resetPassword({ email, code, newPassword: NEW_PASSWORD }, { 'X-Forwarded-For': address });
      const answers: HttpResponse[] = [];
      for (let round = 0; round < 6; round += 1) {
        answers.push(await client().sendResetCode({ email }));
        answers.push(...(await guessFromNetworks({ code: GUESS, attempt }, 20)));
        await service().redis.passTime(120);
      }
      return answers;
    };
    const known = await answersFor((await client().createAccount()).email);
    const unknown = await answersFor(uniqueEmail());
    expect(known.filter(({ status }) => status === 429).length).to.equal(20);
    expect(unknown.map(observable)).to.deep.equal(known.map(observable));
    const waits = [known, unknown].map((answers) => Number(answers.at(-1)?.headers['retry-after']));
    expect(waits[1]).to.be.closeTo(waits[0] ?? 0, 5);
  });
});
