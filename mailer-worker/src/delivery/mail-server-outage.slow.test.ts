import { uniqueEmail } from '@platform/shared/testing/builders';
import { parseMetrics } from '@platform/shared/testing/parse-metrics';
import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import { codeMail, noticeMail, useMailFixture } from '../../testing/mail-fixture.ts';

const CODES = 5;
const NOTICES = 20;

describe('mail server that rejects the login', () => {
  const fixture = useMailFixture();
  afterEach('reject logins', () => fixture().smtp.acceptLogins(false));

  const enqueueMails = async () => {
    const { addToOutbox, enqueueAsService } = fixture();
    const [code, notice] = [uniqueEmail(), uniqueEmail()];
    for (let index = 0; index < NOTICES; index += 1) await addToOutbox(noticeMail(notice));
    for (let index = 0; index < CODES; index += 1) await enqueueAsService(codeMail(code));
    return { code, notice };
  };
  const start = () => {
    const { startWorker, smtp } = fixture();
    return startWorker({ SMTP_URL: smtp.url.replace('//', '//user:password@') });
  };
  const getLoginTimes = (from: number) => fixture().smtp.loginTimes().slice(from);

  it('gets one login at a time, with growing pauses, and all mails after the fix without a restart', async () => {
    const { smtp, waitUntilSent, queue, readOutbox, getMailsTo } = fixture();
    const earlier = smtp.loginTimes().length;
    const { code, notice } = await enqueueMails();
    const worker = await start();
    await waitFor('three logins', () => getLoginTimes(earlier).length === 3);
    const [first = 0, second = 0, third = 0] = getLoginTimes(earlier);
    expect(second - first).to.be.at.least(900);
    expect(third - second).to.be.at.least(1_800);
    const deferred = parseMetrics(await worker.metrics()).find(
      ({ name, labels }) =>
        name === 'mail_deliveries_total' &&
        labels['template'] === 'verification-code' &&
        labels['outcome'] === 'deferred',
    );
    expect(deferred?.value).to.be.at.least(2);
    smtp.acceptLogins(true);
    // The next login follows after 4 s, and the last attempts of the codes may be 10 s apart.
    await Promise.all([waitUntilSent(code, CODES, 30), waitUntilSent(notice, NOTICES, 30)]);
    await waitFor('the outbox is empty', async () => (await readOutbox()).length === 0);
    expect(await queue.getFailedCount()).to.equal(0);
    expect([getMailsTo(code).length, getMailsTo(notice).length]).to.deep.equal([CODES, NOTICES]);
  });

  it('gets all mails from the next worker, immediately', async () => {
    const { smtp, waitUntilSent } = fixture();
    const earlier = smtp.loginTimes().length;
    const { notice } = await enqueueMails();
    const { stop } = await start();
    await waitFor('two logins', () => getLoginTimes(earlier).length === 2);
    await stop();
    smtp.acceptLogins(true);
    await start();
    await waitUntilSent(notice, NOTICES, 30);
  });
});
