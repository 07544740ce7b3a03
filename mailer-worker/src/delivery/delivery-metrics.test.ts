import { uniqueEmail } from '@platform/shared/testing/builders';
import { parseMetrics } from '@platform/shared/testing/parse-metrics';
import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import { codeMail, inSeconds, noticeMail, useMailFixture } from '../../testing/mail-fixture.ts';
import type { RunningWorker } from '../../testing/test-worker.ts';

describe('mail_deliveries_total', () => {
  const fixture = useMailFixture();

  /** The attempts for a template so far, by outcome. */
  const readOutcomes = async ({ metrics }: RunningWorker, template: string) => {
    const samples = parseMetrics(await metrics()).filter(
      ({ name, labels }) => name === 'mail_deliveries_total' && labels['template'] === template,
    );
    return Object.fromEntries(samples.map(({ labels, value }) => [labels['outcome'], value]));
  };
  const waitForOutcomes = (worker: RunningWorker, template: string, expected: Record<string, number>) =>
    waitFor(`${template}: ${JSON.stringify(expected)}`, async () => {
      const outcomes = await readOutcomes(worker, template);
      return Object.entries(expected).every(([outcome, count]) => outcomes[outcome] === count);
    });

  it('counts attempts for an outbox mail as retried, also after the last attempt of its job', async () => {
    const { startWorker, addToOutbox, enqueue, readOutbox, ageOutbox, waitUntilSent, smtp } = fixture();
    const to = uniqueEmail();
    const mail = noticeMail(to);
    smtp.refuse(to, { at: 'data', code: 451, times: 3 });
    const id = await addToOutbox(mail);
    // This job has one attempt. The relay would have added it with eight, but finds it in the queue.
    await enqueue(mail, { jobId: id, attempts: 1 }, { inOutbox: true });
    const worker = await startWorker();
    await waitFor('the relay has seen the mail', async () => (await readOutbox())[0]?.isEnqueued);
    for (const retried of [1, 2, 3]) {
      await waitForOutcomes(worker, mail.template, { sent: 0, retried, failed: 0 });
      await ageOutbox(3_600);
    }
    await waitUntilSent(to);
    await waitForOutcomes(worker, mail.template, { sent: 1, retried: 3, failed: 0 });
    expect(worker.logs()).to.include('"outcome":"retried"').and.not.to.include('"outcome":"failed"');
  });

  it('counts a mail without a retry as rejected or failed, and an unreadable row as failed', async () => {
    const { startWorker, addToOutbox, enqueue, smtp } = fixture();
    const [rejected, unavailable] = [uniqueEmail(), uniqueEmail()];
    smtp.refuse(rejected, { at: 'recipient', code: 550 });
    smtp.refuse(unavailable, { at: 'data', code: 451 });
    const worker = await startWorker();
    await addToOutbox(noticeMail(rejected));
    await waitForOutcomes(worker, 'password-changed', { sent: 0, retried: 0, rejected: 1, failed: 0 });
    await enqueue(codeMail(uniqueEmail(), '042917', inSeconds(-1)));
    await waitForOutcomes(worker, 'verification-code', { sent: 0, retried: 0, failed: 1 });
    await addToOutbox({ template: 'of-a-later-release', to: uniqueEmail() });
    await waitForOutcomes(worker, 'unknown', { sent: 0, retried: 0, failed: 1 });
    await enqueue(codeMail(unavailable), { attempts: 2 });
    await waitForOutcomes(worker, 'verification-code', { sent: 0, retried: 1, failed: 2 });
  });

  it('are accompanied by the time from the request until the mail is sent', async () => {
    const { startWorker, enqueue } = fixture();
    const worker = await startWorker();
    await enqueue(noticeMail(uniqueEmail()), { timestamp: Date.now() - 30_000 });
    await waitForOutcomes(worker, 'password-changed', { sent: 1 });
    const readSeries = async (series: string) =>
      parseMetrics(await worker.metrics()).find(
        ({ name, labels }) => name === series && labels['template'] === 'password-changed',
      )?.value;
    expect(await readSeries('mail_delivery_age_seconds_count')).to.equal(1);
    expect(await readSeries('mail_delivery_age_seconds_sum')).to.be.within(30, 90);
  });

  it('counts every outcome from 0, so that the first failure raises an alert', async () => {
    const worker = await fixture().startWorker();
    const none = { sent: 0, retried: 0, deferred: 0, rejected: 0, failed: 0 };
    for (const template of ['password-changed', 'support-request', 'reset-password-code', 'unknown'])
      expect(await readOutcomes(worker, template), template).to.deep.equal(none);
  });
});
