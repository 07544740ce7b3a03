import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import { codeMail, inSeconds, noticeMail, useMailFixture } from '../../testing/mail-fixture.ts';
import { CODE_SECRET } from '../../testing/test-worker.ts';

/** One transparent pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

describe('mail delivery', () => {
  const fixture = useMailFixture();

  it('sends a queued code as text and as HTML', async () => {
    const { startWorker, enqueue, waitUntilSent, getMailsTo } = fixture();
    const to = uniqueEmail();
    await startWorker();
    const id = await enqueue(codeMail(to, '042917'));
    await waitUntilSent(to);
    const [mail, ...others] = getMailsTo(to);
    expect(others).to.deep.equal([]);
    expect(mail?.text).to.include('042917');
    expect(mail?.html).to.include('042917');
    expect(mail).to.deep.include({ to: [to], from: 'no-reply@platform.example' });
    expect(mail?.subject).to.equal('042917 is your code');
    expect(mail?.text).to.match(/^042917 is your verification code for Marketplace\.$/m);
    expect(mail?.messageId).to.equal(`<${id}@platform.example>`);
    expect(mail?.headers).to.include({
      'auto-submitted': 'auto-generated',
      'x-mail-template': 'verification-code',
    });
    expect(mail?.headers['content-type']).to.match(/^multipart\/alternative/);
  });

  it('sends a notice from the outbox and deletes its row', async () => {
    const { startWorker, addToOutbox, waitUntilSent, getMailsTo, readOutbox } = fixture();
    const to = uniqueEmail();
    await startWorker();
    const id = await addToOutbox(noticeMail(to));
    await waitUntilSent(to);
    expect(getMailsTo(to).map(({ messageId }) => messageId)).to.deep.equal([`<${id}@platform.example>`]);
    await waitFor('the row is deleted', async () => (await readOutbox()).length === 0);
  });

  it('sends a contact form with the submitted address as Reply-To', async () => {
    const { startWorker, addToOutbox, waitUntilSent, getMailsTo } = fixture();
    const [to, email] = [uniqueEmail(), uniqueEmail()];
    await startWorker();
    await addToOutbox({
      template: 'support-request',
      to,
      request: { email, subject: 'Help', message: 'Help' },
    });
    await waitUntilSent(to);
    expect(getMailsTo(to)[0]?.headers['reply-to']).to.equal(email);
  });

  it('sends a reply to a contact form as written, with the inbox as Reply-To', async () => {
    const { startWorker, addToOutbox, waitUntilSent, getMailsTo } = fixture();
    const to = uniqueEmail();
    await startWorker({ PRODUCT_NAME: 'Bakery' });
    await addToOutbox({
      template: 'contact-reply',
      to,
      language: 'de',
      replyTo: 'contact@example.com',
      text: 'Hallo,\nwir kümmern uns darum.',
      subject: 'Rückzahlung',
      message: '<b>Wo?</b>\n.\nQUIT',
      wroteAt: '2026-11-20T03:04:05.678Z',
    });
    await waitUntilSent(to);
    const [mail] = getMailsTo(to);
    expect(mail?.headers['reply-to']).to.equal('contact@example.com');
    expect(mail?.subject).to.equal('Re: Rückzahlung');
    expect(mail?.text).to.include('Hallo,\nwir kümmern uns darum.').and.include('> <b>Wo?</b>\n> .\n> QUIT');
    expect(mail?.html).to.include('Bakery').and.not.include('<b>Wo');
  });

  it('sends codes and notices in the language of the job, with the product name', async () => {
    const { startWorker, enqueue, addToOutbox, waitUntilSent, getMailsTo } = fixture();
    const [codeRecipient, noticeRecipient] = [uniqueEmail(), uniqueEmail()];
    await startWorker({ PRODUCT_NAME: 'Müller & Söhne', SUPPORT_EMAIL: 'support@example.com' });
    await enqueue({ ...codeMail(codeRecipient), language: 'de' });
    const { changedAt: deletedAt } = noticeMail(noticeRecipient);
    await addToOutbox({ template: 'account-deleted', to: noticeRecipient, language: 'de', deletedAt });
    await Promise.all([waitUntilSent(codeRecipient), waitUntilSent(noticeRecipient)]);
    const [code] = getMailsTo(codeRecipient);
    expect(code?.subject).to.equal('042917 ist Ihr Code');
    expect(code?.text).to.match(/^042917 ist Ihr Bestätigungscode für Müller & Söhne\./);
    expect(code?.html).to.include('<html lang="de">').and.include('Müller &#38; Söhne');
    const [notice] = getMailsTo(noticeRecipient);
    expect(notice?.subject).to.equal('Ihr Konto wurde gelöscht');
    expect(notice?.text).to.include('an den Support von Müller & Söhne: support@example.com');
  });

  it('shows the logo, the colour and the links of the pages, without a request to another host', async () => {
    const { startWorker, enqueue, waitUntilSent, getMailsTo } = fixture();
    const directory = mkdtempSync(join(tmpdir(), 'mail-logo-'));
    const LOGO_FILE = join(directory, 'logo.png');
    writeFileSync(LOGO_FILE, PNG);
    try {
      const to = uniqueEmail();
      const PRIVACY_URL = 'https://example.com/privacy';
      await startWorker({ LOGO_FILE, ACCENT_COLOUR: '#C2410C', PRIVACY_URL });
      await enqueue(codeMail(to));
      await waitUntilSent(to);
      const [mail] = getMailsTo(to);
      // The inbox replaces the reference to the attachment by its content.
      expect(mail?.html).to.include(
        `<img src="data:image/png;base64,${PNG.toString('base64')}" alt="Marketplace"`,
      );
      expect(mail?.html).to.include('.accent{background:#c2410c!important');
      expect(mail?.html.match(/\S*https?:\S*/g)).to.deep.equal([`href="${PRIVACY_URL}"`]);
      expect(mail?.headers['content-type']).to.match(/^multipart\/alternative/);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('leaves no trace of sent mails and decoys in Redis, and sends no decoy', async () => {
    const { startWorker, enqueueAsService, addToOutbox, waitUntilSent, redis, smtp } = fixture();
    const [codeRecipient, noticeRecipient, decoyRecipient] = [uniqueEmail(), uniqueEmail(), uniqueEmail()];
    await startWorker();
    const ids = [
      await enqueueAsService(codeMail(codeRecipient)),
      await enqueueAsService({ ...codeMail(decoyRecipient), isDecoy: true }),
      await addToOutbox(noticeMail(noticeRecipient)),
    ];
    await Promise.all([waitUntilSent(codeRecipient), waitUntilSent(noticeRecipient)]);
    // The event streams contain job ids but no job data.
    await waitFor('no job is left', async () => {
      const contents = Object.entries(await redis.dump()).filter(([key]) => !key.endsWith(':events'));
      return !ids.some((id) => contents.flat().join().includes(id));
    });
    expect(smtp.attemptsFor(decoyRecipient)).to.deep.equal([]);
  });

  it('fails without sending when the code expired in the queue', async () => {
    const { startWorker, enqueue, waitUntilFailed, smtp } = fixture();
    const to = uniqueEmail();
    await startWorker();
    const id = await enqueue(codeMail(to, '042917', inSeconds(-1)));
    expect(await waitUntilFailed(id)).to.match(/expired/);
    expect(smtp.attemptsFor(to)).to.deep.equal([]);
  });

  it('sends a mail once when it is queued twice', async () => {
    const { startWorker, enqueue, waitUntilSent, waitUntilQueueEmpty, getMailsTo } = fixture();
    const [to, id] = [uniqueEmail(), randomUUID()];
    await enqueue(codeMail(to), { jobId: id });
    await enqueue(codeMail(to), { jobId: id });
    await startWorker();
    await waitUntilSent(to);
    await waitUntilQueueEmpty();
    expect(getMailsTo(to).length).to.equal(1);
  });

  it('does not send a mail again that a crashed worker had marked as sent', async () => {
    const { startWorker, enqueue, queue, waitUntilQueueEmpty, smtp } = fixture();
    const to = uniqueEmail();
    const job = await queue.getJob(await enqueue(codeMail(to)));
    await job?.updateProgress('sent');
    await startWorker();
    await waitUntilQueueEmpty();
    expect(smtp.attemptsFor(to)).to.deep.equal([]);
  });

  it('does not send a notice again that a crashed worker had removed from the outbox', async () => {
    const { startWorker, enqueue, waitUntilQueueEmpty, smtp } = fixture();
    const to = uniqueEmail();
    await enqueue(noticeMail(to), {}, { inOutbox: true });
    await startWorker();
    await waitUntilQueueEmpty();
    expect(smtp.attemptsFor(to)).to.deep.equal([]);
  });

  it('keeps codes and addresses out of the logs and Redis, whether a mail is queued, sent or failed', async () => {
    const { startWorker, enqueue, waitUntilSent, waitUntilFailed, smtp, redis } = fixture();
    const [sent, retried, rejected, expired] = [uniqueEmail(), uniqueEmail(), uniqueEmail(), uniqueEmail()];
    smtp.refuse(retried, { at: 'data', code: 451, times: 1 });
    smtp.refuse(rejected, { at: 'data', code: 550 });
    const codes = ['718293', '829304', '930415', '041526'] as const;
    const sentId = await enqueue(codeMail(sent, codes[0]));
    await enqueue(codeMail(retried, codes[1]));
    const failing = [
      await enqueue(codeMail(rejected, codes[2])),
      await enqueue(codeMail(expired, codes[3], inSeconds(-1))),
    ];
    const queued = JSON.stringify(await redis.dump());
    const { logs } = await startWorker();
    await Promise.all([waitUntilSent(sent), waitUntilSent(retried), ...failing.map(waitUntilFailed)]);
    const everything = queued + JSON.stringify(await redis.dump()) + logs();
    expect(logs()).to.include('mail not sent');
    const line = logs()
      .split('\n')
      .find((text) => text.includes('mail sent') && text.includes(sentId));
    expect(JSON.parse(line ?? '{}')).to.include({ template: 'verification-code', requestId: 'request-1' });
    expect(everything).to.include('Rejected by the test');
    for (const code of codes) expect(everything).not.to.match(new RegExp(`(?<![0-9])${code}(?![0-9])`));
    for (const address of [sent, retried, rejected, expired]) expect(everything).not.to.include(address);
  });
});

const NEW_SECRET = 'the secret that has replaced the other one';

describe('code secret rotation', () => {
  const fixture = useMailFixture();

  it('mails a code that was encrypted with the previous secret', async () => {
    const { enqueue, startWorker, waitUntilSent, getMailsTo } = fixture();
    const to = uniqueEmail();
    await enqueue(codeMail(to, '042917'));
    await startWorker({ CODE_SECRET_KEY: NEW_SECRET, CODE_SECRET_KEY_PREVIOUS: CODE_SECRET });
    await waitUntilSent(to);
    expect(getMailsTo(to)[0]?.text).to.include('042917');
  });

  it('fails with a reason that does not contain the code without the previous secret', async () => {
    const { enqueue, startWorker, waitUntilFailed, getMailsTo } = fixture();
    const to = uniqueEmail();
    const worker = await startWorker({ CODE_SECRET_KEY: NEW_SECRET });
    const id = await enqueue(codeMail(to, '042917'), { attempts: 1 });
    expect(await waitUntilFailed(id)).to.include('A sealed code was altered, or encrypted with another key');
    expect(getMailsTo(to)).to.deep.equal([]);
    expect(worker.logs()).not.to.include('042917');
  });
});
