import { randomUUID } from 'node:crypto';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import { CODE_SECRET } from './compose-worker.ts';
import { codeMail, inSeconds, noticeMail, useMailPlatform } from './mail-platform.ts';

describe('The delivery of a mail', () => {
  const platform = useMailPlatform();

  it('When a code is queued, then its owner gets it, as text and as HTML', async () => {
    const { startWorker, enqueue, untilSent, mailsTo } = platform();
    const to = uniqueEmail();
    await startWorker();
    const id = await enqueue(codeMail(to, '042917'));
    await untilSent(to);
    const [mail, ...others] = mailsTo(to);
    expect(others).to.deep.equal([]);
    expect(mail?.text).to.include('042917');
    expect(mail?.html).to.include('042917');
    expect(mail).to.deep.include({ to: [to], from: 'no-reply@platform.example' });
    expect(mail?.subject).to.equal('Your verification code');
    expect(mail?.messageId).to.equal(`<${id}@platform.example>`);
    expect(mail?.headers['auto-submitted']).to.equal('auto-generated');
    expect(mail?.headers['content-type']).to.match(/^multipart\/alternative/);
  });

  it('When a notice is left in the outbox, then its owner gets it, and the row is gone', async () => {
    const { startWorker, leave, untilSent, mailsTo, outbox } = platform();
    const to = uniqueEmail();
    await startWorker();
    const id = await leave(noticeMail(to));
    await untilSent(to);
    expect(mailsTo(to).map(({ messageId }) => messageId)).to.deep.equal([`<${id}@platform.example>`]);
    await waitFor('the row is gone', async () => (await outbox()).length === 0);
  });

  it('leaves nothing of a sent code mail, a notice from the outbox and a decoy in Redis', async () => {
    const { startWorker, enqueueAsService, leave, untilSent, untilEmpty, redis } = platform();
    const [coded, notified] = [uniqueEmail(), uniqueEmail()];
    await startWorker();
    const ids = [
      await enqueueAsService(codeMail(coded)),
      await enqueueAsService({ template: 'decoy' }),
      await leave(noticeMail(notified)),
    ];
    await Promise.all([untilSent(coded), untilSent(notified)]);
    await untilEmpty();
    const contents = Object.entries(await redis.dump()).map(([key, value]) => ({ key, text: key + value }));
    // The stream of events names jobs, and holds no data.
    const left = ids.flatMap((id) =>
      contents.filter(({ key, text }) => !key.endsWith(':events') && text.includes(id)),
    );
    expect(left).to.deep.equal([]);
    for (const { text } of contents) expect(text).not.to.include(coded).and.not.to.include(notified);
  });

  it('When a decoy is queued, then nothing is sent, and it leaves the queue', async () => {
    const { startWorker, enqueue, untilEmpty, smtp } = platform();
    const before = smtp.mails().length;
    await startWorker();
    await enqueue({ template: 'decoy' });
    await untilEmpty();
    expect(smtp.mails().length).to.equal(before);
  });

  it('When the code expired while its mail waited, then the mail is not sent, and the failure says why', async () => {
    const { startWorker, enqueue, untilFailed, smtp } = platform();
    const to = uniqueEmail();
    await startWorker();
    const id = await enqueue(codeMail(to, '042917', inSeconds(-1)));
    expect(await untilFailed(id)).to.match(/expired/);
    expect(smtp.attemptsFor(to)).to.deep.equal([]);
  });

  it('When the same mail is queued twice, then it is sent once', async () => {
    const { startWorker, enqueue, untilSent, untilEmpty, mailsTo } = platform();
    const [to, id] = [uniqueEmail(), randomUUID()];
    await enqueue(codeMail(to), { jobId: id });
    await enqueue(codeMail(to), { jobId: id });
    await startWorker();
    await untilSent(to);
    await untilEmpty();
    expect(mailsTo(to).length).to.equal(1);
  });

  it('When a worker died after it had marked a mail as sent, then the next one does not send it again', async () => {
    const { startWorker, enqueue, queue, untilEmpty, smtp } = platform();
    const to = uniqueEmail();
    const job = await queue.getJob(await enqueue(codeMail(to)));
    await job?.updateProgress('sent');
    await startWorker();
    await untilEmpty();
    expect(smtp.attemptsFor(to)).to.deep.equal([]);
  });

  it('When a worker died after it had removed a notice from the outbox, then the next one does not send it again', async () => {
    const { startWorker, enqueueRaw, untilEmpty, smtp } = platform();
    const to = uniqueEmail();
    await enqueueRaw('password-changed', { mail: noticeMail(to), requestId: 'request-1', inOutbox: true });
    await startWorker();
    await untilEmpty();
    expect(smtp.attemptsFor(to)).to.deep.equal([]);
  });

  it('When mails wait, are sent or fail, then no code is in the logs or in Redis', async () => {
    const { startWorker, enqueue, untilSent, untilFailed, smtp, redis } = platform();
    const [sent, retried, refused, late] = [uniqueEmail(), uniqueEmail(), uniqueEmail(), uniqueEmail()];
    smtp.refuse(retried, { at: 'data', code: 451, times: 1 });
    smtp.refuse(refused, { at: 'data', code: 550 });
    const codes = ['718293', '829304', '930415', '041526'] as const;
    await enqueue(codeMail(sent, codes[0]));
    await enqueue(codeMail(retried, codes[1]));
    const failing = [
      await enqueue(codeMail(refused, codes[2])),
      await enqueue(codeMail(late, codes[3], inSeconds(-1))),
    ];
    const queued = JSON.stringify(await redis.dump());
    const { logs } = await startWorker();
    await Promise.all([untilSent(sent), untilSent(retried), ...failing.map(untilFailed)]);
    const everything = queued + JSON.stringify(await redis.dump()) + logs();
    expect(logs()).to.include('mail sent').and.include('mail not sent');
    for (const code of codes) expect(everything).not.to.match(new RegExp(`(?<![0-9])${code}(?![0-9])`));
  });

  it('When a code was sealed with another key, then its mail is not sent, and the failure says why', async () => {
    const { startWorker, enqueue, untilFailed, smtp } = platform();
    const to = uniqueEmail();
    await startWorker({ CODE_SECRET_KEY: `${CODE_SECRET}-another` });
    expect(await untilFailed(await enqueue(codeMail(to)))).to.match(/code|seal/i);
    expect(smtp.attemptsFor(to)).to.deep.equal([]);
  });

  it('When the log tells of a mail, then it names the request that caused it, and not the address', async () => {
    const { startWorker, enqueue } = platform();
    const to = uniqueEmail();
    const { logs } = await startWorker();
    const mailId = await enqueue(codeMail(to));
    await waitFor('it is logged', () => logs().includes('mail sent'));
    const line = logs()
      .split('\n')
      .find((text) => text.includes(mailId));
    const template = 'verification-code';
    expect(JSON.parse(line ?? '{}')).to.include({ mailId, template, requestId: 'request-1' });
    expect(logs()).not.to.include(to);
  });
});
