import { CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { expectError, observable } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { ALL_KINDS, createAnyAccount } from './any-account.ts';
import { PURPOSES, times } from './code-purposes.ts';
import { useCodeService } from './code-service.ts';

const HOUR_SECONDS = 3_600;

const expectRefused = (answer: HttpResponse, least: number, most: number): void => {
  expectError(answer, 429, 'RESEND_LOCKED');
  expect(Number(answer.headers['retry-after'])).to.be.within(least, most);
};

describe('The limit of e-mail codes per hour and day', () => {
  const service = useCodeService();
  const client = () => service().client(CUSTOMER);
  const passTime = (seconds: number) => service().redis.passTime(seconds);

  /** Each of them two minutes after the one before. */
  const sendMany = async (send: () => Promise<HttpResponse>, count: number): Promise<void> => {
    for (let round = 0; round < count; round += 1) {
      const { status, text } = await send();
      expect(status, text).to.equal(200);
      await passTime(120);
    }
  };

  for (const { name, begin } of PURPOSES)
    describe(`for a code ${name}`, () => {
      it('sends ten in an hour, and the next once the first is an hour old', async () => {
        const { send } = await begin(client(), service());
        await passTime(120);
        await sendMany(send, 9);
        // Ten times two minutes have passed since the first.
        for (let round = 0; round < 3; round += 1)
          expectRefused(await send(), HOUR_SECONDS - 1_260, HOUR_SECONDS - 1_200);
        await passTime(HOUR_SECONDS - 1_200);
        expect((await send()).status).to.equal(200);
        expectRefused(await send(), 60, 120);
        await passTime(120);
        expect((await send()).status).to.equal(200);
      });

      it('sends thirty in a day, and the next once the first is a day old', async () => {
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

  it('is one for all kinds, since they share the mailbox, and another for the other purpose', async () => {
    const account = await client().createAccount();
    const { email } = account;
    const device = await client().openDevice(account);
    for (const kind of [CUSTOMER, EMPLOYEE])
      await sendMany(() => service().client(kind).sendResetCode({ email }), 5);
    for (const kind of ALL_KINDS)
      expectError(await service().client(kind).sendResetCode({ email }), 429, 'RESEND_LOCKED');
    expect((await client().sendVerificationCode(device)).status).to.equal(200);
  });

  it('lets one of three through that are sent at once when nine were sent', async () => {
    const { email } = await createAnyAccount(service(), CUSTOMER);
    await sendMany(() => client().sendResetCode({ email }), 9);
    const answers = await Promise.all(
      ALL_KINDS.map((kind) => service().client(kind).sendResetCode({ email })),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 429, 429]);
  });

  it('answers for an unknown e-mail what it answers for a known one', async () => {
    const answersFor = async (email: string) => {
      const answers: HttpResponse[] = [];
      for (let round = 0; round < 12; round += 1) {
        answers.push(await client().sendResetCode({ email }));
        await passTime(120);
      }
      return answers;
    };
    const known = await answersFor((await client().createAccount()).email);
    const unknown = await answersFor(uniqueEmail());
    expect(known.map(({ status }) => status)).to.deep.equal([...Array(10).fill(200), 429, 429]);
    expect(unknown.map(observable)).to.deep.equal(known.map(observable));
  });

  it('does not count a code whose mail could not be queued', async () => {
    const { email } = await client().createAccount();
    const { redis } = service();
    const send = () => client().sendResetCode({ email });
    await sendMany(send, 9);
    // Makes BullMQ's script fail: it counts in this key.
    const count = (await redis.client.getDel('bull:mail:id')) ?? '0';
    await redis.client.lPush('bull:mail:id', 'no number');
    for (const answer of [await send(), await send()]) expectError(answer, 503, 'SERVICE_UNAVAILABLE');
    await redis.client.set('bull:mail:id', count);
    expect((await send()).status).to.equal(200);
    await passTime(120);
    expectError(await send(), 429, 'RESEND_LOCKED');
  });

  it('sends one of ten codes that are asked for at once', async () => {
    const email = uniqueEmail();
    const answers = await Promise.all(times(10, () => client().sendResetCode({ email })));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(9).fill(429)]);
    await passTime(120);
    await sendMany(() => client().sendResetCode({ email }), 9);
    expectError(await client().sendResetCode({ email }), 429, 'RESEND_LOCKED');
  });
});
