import { CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { expectError, observable } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import {
  attemptFromNetworks,
  type CodeFixture,
  getAttackerAddress,
  PURPOSES,
  RESET,
  times,
  useCodeService,
} from './code-service.ts';

const DAY_SECONDS = 86_400;
const NEW_PASSWORD = 'A better horse 2';
/** Probably wrong, and counted like any other. */
const WRONG_CODE = '000000';

const expectLocked = (response: HttpResponse, least: number, most: number): void => {
  expectError(response, 429, 'RATE_LIMITED');
  expect(Number(response.headers['retry-after'])).to.be.within(least, most);
};

describe('account limit for wrong e-mail codes', () => {
  const service = useCodeService();
  const client = () => service().client(CUSTOMER);

  /** Attempts 20 wrong codes for each sent code; returns the newest code. */
  const attemptWrongCodes = async (fixture: CodeFixture, count: number): Promise<string> => {
    let { code } = fixture;
    for (let left = count; left > 0; left -= 20) {
      for (const response of await attemptFromNetworks({ ...fixture, code }, Math.min(left, 20)))
        expectError(response, 400, 'CODE_INVALID');
      if (left >= 20) code = await fixture.resend();
    }
    return code;
  };

  for (const { name, success, begin } of PURPOSES)
    describe(`of a code ${name}`, () => {
      it('accepts the correct code after 99 wrong ones in a day', async () => {
        const fixture = await begin(client(), service());
        const code = await attemptWrongCodes(fixture, 99);
        expect((await fixture.attempt(code)).status).to.equal(success);
      });

      it('returns 429 with Retry-After for the correct code after 100 wrong ones in a day', async () => {
        const fixture = await begin(client(), service());
        const code = await attemptWrongCodes(fixture, 100);
        // Five resends were two minutes each.
        expectLocked(await fixture.attempt(code), DAY_SECONDS - 660, DAY_SECONDS - 600);
      });

      it('expires each wrong code after a day', async () => {
        const fixture = await begin(client(), service());
        await attemptWrongCodes(fixture, 60);
        await service().redis.passTime(DAY_SECONDS / 2);
        const code = await attemptWrongCodes({ ...fixture, code: await fixture.resend() }, 40);
        expectLocked(await fixture.attempt(code), 1, DAY_SECONDS / 2);
        await service().redis.passTime(DAY_SECONDS / 2);
        await attemptWrongCodes({ ...fixture, code: await fixture.resend() }, 60);
        expectLocked(await fixture.attempt(WRONG_CODE), 1, DAY_SECONDS / 2);
      });

      it('allows one of twenty concurrent attempts after 99 wrong codes', async () => {
        const fixture = await begin(client(), service());
        await attemptWrongCodes(fixture, 99);
        const responses = await attemptFromNetworks({ ...fixture, code: await fixture.resend() }, 20);
        expect(responses.map(({ body }) => body.code).sort()).to.deep.equal([
          'CODE_INVALID',
          ...Array(19).fill('RATE_LIMITED'),
        ]);
      });
    });

  it('counts the wrong codes of both purposes and of all kinds together', async () => {
    const account = await client().createAccount();
    const device = await client().openDevice(account);
    const { email } = account;
    const sendAll = async () => {
      await service().redis.passTime(120);
      const responses = [await client().sendVerificationCode(device)];
      for (const kind of [CUSTOMER, EMPLOYEE])
        responses.push(await service().client(kind).sendResetCode({ email }));
      for (const { status, text } of responses) expect(status, text).to.equal(200);
    };
    const attempts: CodeFixture['attempt'][] = [CUSTOMER, EMPLOYEE].map(
      (kind) => (code, address) =>
        service()
          .client(kind)
          .resetPassword({ email, code, newPassword: NEW_PASSWORD }, { 'X-Forwarded-For': address }),
    );
    attempts.push((code, address) => client().verifyEmail(device, { code }, { 'X-Forwarded-For': address }));
    for (const count of [20, 14]) {
      await sendAll();
      for (const attempt of attempts) await attemptFromNetworks({ code: WRONG_CODE, attempt }, count);
    }
    // 3 * (20 + 14) are more than a hundred.
    for (const attempt of attempts) expectError(await attempt(WRONG_CODE), 429, 'RATE_LIMITED');
  });

  it('does not count correct codes, which do not reset the count either', async () => {
    const fixture = await RESET.begin(client(), service());
    const correctCode = await attemptWrongCodes(fixture, 90);
    expect((await fixture.attempt(correctCode)).status).to.equal(204);
    await attemptFromNetworks({ ...fixture, code: await fixture.resend() }, 9);
    const next = await fixture.resend();
    expect((await fixture.attempt(next)).status).to.equal(204);
    await attemptFromNetworks({ ...fixture, code: await fixture.resend() }, 1);
    expectError(await fixture.attempt(WRONG_CODE), 429, 'RATE_LIMITED');
  });

  it('does not count attempts without a code, or rejected by another limit', async () => {
    const { email } = await client().createAccount();
    const attempt: CodeFixture['attempt'] = (code, address) =>
      client().resetPassword({ email, code, newPassword: NEW_PASSWORD }, { 'X-Forwarded-For': address });
    const attemptMany = () =>
      Promise.all(times(120, (index) => attempt(WRONG_CODE, getAttackerAddress(index))));
    for (const response of await attemptMany()) expectError(response, 400, 'CODE_INVALID');
    expect((await client().sendResetCode({ email })).status).to.equal(200);
    for (const response of await attemptMany()) expectError(response, 400, 'CODE_INVALID');
    await service().redis.passTime(120);
    expect((await client().sendResetCode({ email })).status).to.equal(200);
    expect((await attempt(await service().codeFor(email))).status).to.equal(204);
  });

  it('returns the same responses for an unknown e-mail', async () => {
    const getResponses = async (email: string) => {
      const attempt: CodeFixture['attempt'] = (code, address) =>
        client().resetPassword({ email, code, newPassword: NEW_PASSWORD }, { 'X-Forwarded-For': address });
      const responses: HttpResponse[] = [];
      for (let round = 0; round < 6; round += 1) {
        responses.push(await client().sendResetCode({ email }));
        responses.push(...(await attemptFromNetworks({ code: WRONG_CODE, attempt }, 20)));
        await service().redis.passTime(120);
      }
      return responses;
    };
    const known = await getResponses((await client().createAccount()).email);
    const unknown = await getResponses(uniqueEmail());
    expect(known.filter(({ status }) => status === 429).length).to.equal(20);
    expect(unknown.map(observable)).to.deep.equal(known.map(observable));
    const waits = [known, unknown].map((responses) => Number(responses.at(-1)?.headers['retry-after']));
    expect(waits[1]).to.be.closeTo(waits[0] ?? 0, 5);
  });
});
