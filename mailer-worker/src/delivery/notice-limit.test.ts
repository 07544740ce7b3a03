import { randomUUID } from 'node:crypto';
import type { Mail } from '@platform/shared/platform/mail/mail';
import { connectRedis } from '@platform/shared/redis/redis';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { parseMetrics } from '@platform/shared/testing/parse-metrics';
import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import { noticeMail, useMailFixture } from '../../testing/mail-fixture.ts';
import { CODE_SECRET, type RunningWorker } from '../../testing/test-worker.ts';
import { createNoticeLimit } from './notice-limit.ts';

const HOUR_SECONDS = 3_600;
const AT = '2026-11-20T03:04:05.678Z';

const deviceMail = (to: string): Mail => ({
  template: 'new-device',
  to,
  language: 'en',
  isEmailVerified: true,
  signedInAt: new Date().toISOString(),
  address: '192.0.2.1',
  userAgent: null,
  methods: ['password'],
});

describe('limit of notices', () => {
  const fixture = useMailFixture();
  const waitUntilOutboxEmpty = () =>
    waitFor('the outbox is empty', async () => (await fixture().readOutbox()).length === 0);
  const countDropped = async ({ metrics }: RunningWorker): Promise<Record<string, number>> => {
    const samples = parseMetrics(await metrics()).filter(({ name }) => name === 'mail_notices_dropped_total');
    const dropped = samples.filter(({ value }) => value > 0);
    return Object.fromEntries(dropped.map(({ labels, value }) => [labels['template'], value]));
  };

  it('sends ten per hour to a recipient, counts the dropped ones, and does not limit retries', async () => {
    const { startWorker, addToOutbox, getMailsTo, redis, smtp } = fixture();
    const [to, other] = [uniqueEmail(), uniqueEmail()];
    smtp.refuse(to, { at: 'data', code: 451, times: 3 });
    const worker = await startWorker();
    for (let index = 0; index < 13; index += 1) await addToOutbox(deviceMail(to));
    await addToOutbox(deviceMail(other));
    await waitUntilOutboxEmpty();
    expect(getMailsTo(to).length).to.equal(10);
    expect(getMailsTo(other).length).to.equal(1);
    expect(await countDropped(worker)).to.deep.equal({ 'new-device': 3 });

    expect(JSON.stringify(await redis.dump())).not.to.include(to);
    await redis.passTime(HOUR_SECONDS);
    await addToOutbox(deviceMail(to.toUpperCase()));
    await waitUntilOutboxEmpty();
    expect((await countDropped(worker))['new-device']).to.equal(3);
    expect(Object.keys(await redis.dump()).filter((key) => key.startsWith('notices:')).length).to.equal(1);
  });

  it('counts new devices, wrong factors and pauses together, and does not apply to changes', async () => {
    const { startWorker, addToOutbox, getMailsTo } = fixture();
    const [to, userId] = [uniqueEmail(), randomUUID()];
    const user = { to, language: 'en', isEmailVerified: true } as const;
    const events: Mail[] = [
      deviceMail(to),
      { template: 'wrong-factors', ...user, attemptedAt: AT },
      { template: 'guessing-paused', ...user, secret: 'password', pausedUntil: AT },
    ];
    const worker = await startWorker();
    for (let index = 0; index < 5; index += 1) for (const mail of events) await addToOutbox(mail, userId);
    for (let index = 0; index < 12; index += 1) await addToOutbox(noticeMail(to), userId);
    await waitUntilOutboxEmpty();
    expect(getMailsTo(to).length).to.equal(10 + 12);
    const dropped = Object.values(await countDropped(worker)).reduce((sum, count) => sum + count, 0);
    expect(dropped).to.equal(5);
  });

  it('counts all notices to an unverified address together, whatever account they concern', async () => {
    const { startWorker, addToOutbox, getMailsTo } = fixture();
    const to = uniqueEmail();
    const worker = await startWorker();
    // An account signs up with the address, changes its password, and is deleted, again and again.
    for (let account = 0; account < 4; account += 1) {
      const userId = randomUUID();
      for (let change = 0; change < 3; change += 1)
        await addToOutbox({ ...noticeMail(to), isEmailVerified: false }, userId);
      const user = { to, language: 'en', isEmailVerified: false } as const;
      await addToOutbox({ template: 'account-deleted', ...user, deletedAt: AT }, userId);
    }
    await waitUntilOutboxEmpty();
    expect(getMailsTo(to).length).to.equal(10);
    const dropped = Object.values(await countDropped(worker)).reduce((sum, count) => sum + count, 0);
    expect(dropped).to.equal(6);
    await addToOutbox(noticeMail(to), randomUUID());
    await waitUntilOutboxEmpty();
    expect(getMailsTo(to).length, 'the owner has verified the address').to.equal(11);
  });

  it('sends one a day about the kind of the account, within the ten an hour of the recipient', async () => {
    const { startWorker, addToOutbox, getMailsTo, redis } = fixture();
    const [to, busy] = [uniqueEmail(), uniqueEmail()];
    await startWorker();
    const addWrongKind = async (recipient: string) => {
      const mail = { template: 'wrong-kind', to: recipient, language: 'en', roles: ['CUSTOMER'] } as const;
      await addToOutbox(mail, randomUUID());
      await waitUntilOutboxEmpty();
    };
    for (let round = 0; round < 3; round += 1) await addWrongKind(to);
    await redis.passTime(23 * HOUR_SECONDS);
    await addWrongKind(to.toUpperCase());
    expect(getMailsTo(to).length).to.equal(1);
    await redis.passTime(HOUR_SECONDS);
    await addWrongKind(to);
    expect(getMailsTo(to).length).to.equal(2);

    for (let index = 0; index < 10; index += 1)
      await addToOutbox({ template: 'email-change-taken', to: busy, language: 'en' });
    await waitUntilOutboxEmpty();
    await addWrongKind(busy);
    expect(getMailsTo(busy).length).to.equal(10);
    await redis.passTime(HOUR_SECONDS);
    await addWrongKind(busy);
    expect(getMailsTo(busy).length, 'the one that was not sent does not count').to.equal(11);
  });

  it("counts notices of a user's account separately from those that strangers cause", async () => {
    const { startWorker, addToOutbox, getMailsTo } = fixture();
    const [to, former, userId] = [uniqueEmail(), uniqueEmail(), randomUUID()];
    await startWorker();
    for (let index = 0; index < 12; index += 1)
      await addToOutbox({ template: 'email-change-taken', to, language: 'en' });
    for (let index = 0; index < 6; index += 1) await addToOutbox(deviceMail(former), userId);
    await waitUntilOutboxEmpty();
    expect([getMailsTo(to).length, getMailsTo(former).length]).to.deep.equal([10, 6]);
    for (let index = 0; index < 6; index += 1) await addToOutbox(deviceMail(to), userId);
    await waitUntilOutboxEmpty();
    expect(getMailsTo(to).length, 'of the user, whatever the address').to.equal(10 + 4);
  });

  it('does not apply while Redis cannot count', async () => {
    const closed = connectRedis(fixture().redis.url, () => undefined);
    closed.destroy();
    const isWithinLimit = createNoticeLimit(closed, { current: CODE_SECRET, previous: [] });
    const budgets = [{ subject: 'ada@example.com', limit: 10, seconds: HOUR_SECONDS }];
    for (let index = 0; index < 11; index += 1)
      expect(await isWithinLimit(`mail-${index}`, budgets)).to.equal(true);
  });
});
