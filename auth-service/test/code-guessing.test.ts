import { ACCOUNT_KINDS } from '@platform/shared/testing/auth-client';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import {
  type Coded,
  guessFromNetworks,
  PURPOSES,
  strangerAddress,
  times,
  wrongCodes,
} from './code-purposes.ts';
import { useCodeService } from './code-service.ts';

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
          const answers = await Promise.all(wrongCodes(coded.code, 50).map((wrong) => coded.attempt(wrong)));
          for (const answer of answers) expectError(answer, 400, 'CODE_INVALID');
          expectError(await coded.attempt(coded.code), 400, 'CODE_INVALID');
        });

        it('When four wrong codes are sent at once, then four are counted and no more', async () => {
          const coded = await withCode();
          await Promise.all(wrongCodes(coded.code, 4).map((wrong) => coded.attempt(wrong)));
          expect((await coded.attempt(coded.code)).status).to.equal(success);
        });

        it('accepts the right code after five wrong guesses from another client network', async () => {
          const coded = await withCode();
          for (const wrong of wrongCodes(coded.code, 6))
            expectError(await coded.attempt(wrong, strangerAddress(0)), 400, 'CODE_INVALID');
          expectError(await coded.attempt(coded.code, strangerAddress(0)), 400, 'CODE_INVALID');
          expect((await coded.attempt(coded.code)).status).to.equal(success);
        });

        it('accepts the right code after nineteen wrong guesses from other client networks', async () => {
          const coded = await withCode();
          await guessFromNetworks(coded, 19);
          expect((await coded.attempt(coded.code)).status).to.equal(success);
        });

        it('refuses the right code after twenty wrong guesses from other client networks', async () => {
          const coded = await withCode();
          await guessFromNetworks(coded, 20);
          expectError(await coded.attempt(coded.code), 400, 'CODE_INVALID');
        });

        it('does not count guesses that the limit per client network refuses', async () => {
          const coded = await withCode();
          await Promise.all(wrongCodes(coded.code, 40).map((wrong) => coded.attempt(wrong, '203.0.113.9')));
          await guessFromNetworks(coded, 14);
          expect((await coded.attempt(coded.code)).status).to.equal(success);
        });

        it('counts the addresses of an IPv6 /64 as one client network', async () => {
          const coded = await withCode();
          const addressOf = (index: number) => `2001:db8:0:7::${index + 1}`;
          for (const [index, wrong] of wrongCodes(coded.code, 5).entries())
            expectError(await coded.attempt(wrong, addressOf(index)), 400, 'CODE_INVALID');
          expectError(await coded.attempt(coded.code, addressOf(5)), 400, 'CODE_INVALID');
          expect((await coded.attempt(coded.code, '2001:db8:0:8::1')).status).to.equal(success);
        });

        it('When five tries were wrong, then not one of fifty right ones at once succeeds', async () => {
          const coded = await withCode();
          await tryWrongly(coded, 5);
          const answers = await Promise.all(times(50, () => coded.attempt(coded.code)));
          for (const answer of answers) expectError(answer, 400, 'CODE_INVALID');
        });
      });
  });
