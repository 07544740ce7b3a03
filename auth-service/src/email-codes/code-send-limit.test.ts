import { ALL_KINDS, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { expectError, observable } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { PURPOSES, times } from '../../testing/mailed-codes.ts';
import { breakMailQueue } from '../../testing/mails.ts';

const HOUR_SECONDS = 3_600;

const expectRefused = (response: HttpResponse, least: number, most: number): void => {
  expectError(response, 429, 'RESEND_LOCKED');
  expect(Number(response.headers['retry-after'])).to.be.within(least, most);
};

describe('e-mail code limit per hour and day', () => {
  const service = useAuthService();
  const client = () => service().as('customer');
  const passTime = (seconds: number) => service().redis.passTime(seconds);

  /** Sends codes, and lets two minutes pass after each. */
  const sendMany = async (send: () => Promise<HttpResponse>, count: number): Promise<void> => {
    for (let round = 0; round < count; round += 1) {
      const { status, text } = await send();
      expect(status, text).to.equal(200);
      await passTime(120);
    }
  };

  for (const { name, begin } of PURPOSES)
    describe(`of a code ${name}`, () => {
      it('sends ten in an hour, and the next when the first is an hour old', async () => {
        const { send } = await begin(client(), service());
        await passTime(120);
        await sendMany(send, 9);
        // 20 minutes have passed since the first code.
        for (let round = 0; round < 3; round += 1)
          expectRefused(await send(), HOUR_SECONDS - 1_260, HOUR_SECONDS - 1_200);
        await passTime(HOUR_SECONDS - 1_200);
        expect((await send()).status).to.equal(200);
        expectRefused(await send(), 60, 120);
        await passTime(120);
        expect((await send()).status).to.equal(200);
      });

      it('sends thirty in a day, and the next when the first is a day old', async () => {
        const { send } = await begin(client(), service());
        await passTime(120);
        await sendMany(send, 9);
        for (const count of [10, 10]) {
          await passTime(HOUR_SECONDS);
          await sendMany(send, count);
        }
        await passTime(HOUR_SECONDS);
        const passed = 3 * HOUR_SECONDS + 30 * 120;
        expectRefused(await send(), 24 * HOUR_SECONDS - passed - 60, 24 * HOUR_SECONDS - passed);
        await passTime(24 * HOUR_SECONDS - passed);
        expect((await send()).status).to.equal(200);
      });
    });

  describe('for a device that has signed in from its network', () => {
    const begin = async () => {
      const { account, device } = await client().openVerifiedAccount();
      const { email } = account;
      const send = (fields: object) => client().resetPasswordEmailCodeSend({ ...fields, body: { email } });
      await sendMany(() => send({}), 10);
      const { fingerprint } = device;
      return { account, send, own: () => send({ fingerprint }), fingerprint };
    };

    it('sends three more in an hour', async () => {
      const { own, send } = await begin();
      expect((await own()).status).to.equal(200);
      expectRefused(await own(), 1, 120);
      await passTime(120);
      await sendMany(own, 2);
      expectRefused(await own(), 120, HOUR_SECONDS);
      expectRefused(await send({}), 120, HOUR_SECONDS);
    });

    it('sends no more to another device, from another network, or if the e-mail is not verified', async () => {
      const { account, own, send, fingerprint } = await begin();
      expectRefused(await send({ fingerprint: uniqueFingerprint() }), 120, HOUR_SECONDS);
      const headers = { 'X-Forwarded-For': '203.0.113.1' };
      expectRefused(await send({ fingerprint, headers }), 120, HOUR_SECONDS);
      const unverified = 'update users set is_email_verified = false where id = $1';
      await service().records.query(unverified, [account.userId]);
      expectRefused(await own(), 120, HOUR_SECONDS);
    });

    it('does not count one whose mail could not be queued', async () => {
      const { own } = await begin();
      await sendMany(own, 2);
      const repair = await breakMailQueue(service().redis);
      expectError(await own(), 503, 'SERVICE_UNAVAILABLE');
      await repair();
      expect((await own()).status).to.equal(200);
    });
  });

  it('counts all kinds together, which share the mailbox, and each purpose separately', async () => {
    const account = await client().createAccount();
    const { email } = account;
    const device = await client().openDevice(account);
    for (const kind of [CUSTOMER, EMPLOYEE])
      await sendMany(() => service().as(kind).resetPasswordEmailCodeSend({ body: { email } }), 5);
    for (const kind of ALL_KINDS)
      expectError(
        await service().as(kind).resetPasswordEmailCodeSend({ body: { email } }),
        429,
        'RESEND_LOCKED',
      );
    expect((await client().verificationEmailCode(device)).status).to.equal(200);
  });

  it('sends one of three concurrent requests after nine codes', async () => {
    const { email } = await client().createAccount();
    await sendMany(() => client().resetPasswordEmailCodeSend({ body: { email } }), 9);
    const responses = await Promise.all(
      ALL_KINDS.map((kind) => service().as(kind).resetPasswordEmailCodeSend({ body: { email } })),
    );
    expect(responses.map(({ status }) => status).sort()).to.deep.equal([200, 429, 429]);
  });

  it('returns the same responses for an unknown e-mail', async () => {
    const getResponses = async (email: string) => {
      const responses: HttpResponse[] = [];
      for (let round = 0; round < 12; round += 1) {
        responses.push(await client().resetPasswordEmailCodeSend({ body: { email } }));
        await passTime(120);
      }
      return responses;
    };
    const known = await getResponses((await client().createAccount()).email);
    const unknown = await getResponses(uniqueEmail());
    expect(known.map(({ status }) => status)).to.deep.equal([...Array(10).fill(200), 429, 429]);
    expect(unknown.map(observable)).to.deep.equal(known.map(observable));
  });

  it('does not count a code whose mail could not be queued', async () => {
    const { email } = await client().createAccount();
    const { redis } = service();
    const send = () => client().resetPasswordEmailCodeSend({ body: { email } });
    await sendMany(send, 9);
    const repair = await breakMailQueue(redis);
    for (const response of [await send(), await send()]) expectError(response, 503, 'SERVICE_UNAVAILABLE');
    await repair();
    expect((await send()).status).to.equal(200);
    await passTime(120);
    expectError(await send(), 429, 'RESEND_LOCKED');
  });

  it('sends one of ten concurrently requested codes', async () => {
    const email = uniqueEmail();
    const responses = await Promise.all(
      times(10, () => client().resetPasswordEmailCodeSend({ body: { email } })),
    );
    expect(responses.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(9).fill(429)]);
    await passTime(120);
    await sendMany(() => client().resetPasswordEmailCodeSend({ body: { email } }), 9);
    expectError(await client().resetPasswordEmailCodeSend({ body: { email } }), 429, 'RESEND_LOCKED');
  });
});
