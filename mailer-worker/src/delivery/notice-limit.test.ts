import { randomUUID } from 'node:crypto';
import type { Mail } from '@platform/shared/platform/mail/mail';
import { connectRedis } from '@platform/shared/redis/redis';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { parseMetrics } from '@platform/shared/testing/parse-metrics';
import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import { noticeMail, useMailFixture } from '../../testing/mail-fixture.ts';
import { EXAMPLE_MAILS } from '../../testing/preview/example-mails.ts';
import { CODE_SECRET, type RunningWorker } from '../../testing/test-worker.ts';
import { createNoticeLimit, isLimitedNotice, LIMITED_NOTICES } from './notice-limit.ts';

const HOUR_SECONDS = 3_600;

const deviceMail = (to: string): Mail => ({
  template: 'new-device',
  to,
  language: 'en',
  signedInAt: new Date().toISOString(),
  address: '192.0.2.1',
});

describe('limit of notices', () => {
  const fixture = useMailFixture();
  const waitUntilOutboxEmpty = () =>
    waitFor('the outbox is empty', async () => (await fixture().readOutbox()).length === 0);
  const countDropped = async ({ metrics }: RunningWorker): Promise<Record<string, number>> => {
    const samples = parseMetrics(await metrics()).filter(({ name }) => name === 'mail_notices_dropped_total');
    return Object.fromEntries(samples.map(({ labels, value }) => [labels['template'], value]));
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
    const none = { 'email-change-taken': 0, 'guessing-paused': 0, 'wrong-factors': 0 };
    expect(await countDropped(worker)).to.deep.equal({ ...none, 'new-device': 3 });

    expect(JSON.stringify(await redis.dump())).not.to.include(to);
    await redis.passTime(HOUR_SECONDS);
    await addToOutbox(deviceMail(to.toUpperCase()));
    await waitUntilOutboxEmpty();
    expect((await countDropped(worker))['new-device']).to.equal(3);
    expect(Object.keys(await redis.dump()).filter((key) => key.startsWith('notices:')).length).to.equal(1);
  });

  it('counts all limited notices together, and does not apply to notices of a change', async () => {
    const { startWorker, addToOutbox, getMailsTo } = fixture();
    const to = uniqueEmail();
    const limited = EXAMPLE_MAILS.filter(({ template }) => isLimitedNotice(template)).slice(0, 5);
    expect(new Set(limited.map(({ template }) => template))).to.have.all.keys(...LIMITED_NOTICES.slice(0, 3));
    const worker = await startWorker();
    for (const mail of [...limited, ...limited, ...limited]) await addToOutbox({ ...mail, to });
    for (let index = 0; index < 12; index += 1) await addToOutbox(noticeMail(to));
    await waitUntilOutboxEmpty();
    expect(getMailsTo(to).length).to.equal(10 + 12);
    const dropped = Object.values(await countDropped(worker)).reduce((sum, count) => sum + count, 0);
    expect(dropped).to.equal(5);
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
    for (let index = 0; index < 11; index += 1)
      expect(await isWithinLimit(`mail-${index}`, 'ada@example.com')).to.equal(true);
  });
});
