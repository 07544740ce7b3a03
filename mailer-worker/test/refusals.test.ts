import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import { codeMail, inSeconds, noticeMail, useMailPlatform } from './mail-platform.ts';

/** Stands before an SMTP server: passes connections on, or takes them and says nothing. */
const startSilencer = async (smtpUrl: string) => {
  const target = Number(new URL(smtpUrl).port);
  const sockets = new Set<Socket>();
  let silent = true;
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    if (silent) return;
    const onward = connect(target, '127.0.0.1').on('error', () => undefined);
    sockets.add(onward);
    socket.pipe(onward).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    speak: () => {
      silent = false;
    },
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};

describe('A mail that cannot be sent', () => {
  const platform = useMailPlatform();

  for (const at of ['recipient', 'data'] as const) {
    it(`When the server asks to try again later (4xx, ${at}), then the mail is tried again and arrives once`, async () => {
      const { startWorker, enqueue, untilSent, untilEmpty, mailsTo, smtp } = platform();
      const to = uniqueEmail();
      smtp.refuse(to, { at, code: 451, times: 1 });
      await startWorker();
      const id = await enqueue(codeMail(to));
      await untilSent(to);
      await untilEmpty();
      expect(mailsTo(to).length).to.equal(1);
      const seen = smtp.attemptsFor(to);
      expect(seen.length).to.equal(2);
      for (const messageId of seen.filter((text) => text !== ''))
        expect(messageId).to.equal(`<${id}@platform.example>`);
    });

    it(`When the server refuses a code for good (5xx, ${at}), then it is not tried again, and the failure says why`, async () => {
      const { startWorker, enqueue, untilFailed, smtp } = platform();
      const to = uniqueEmail();
      smtp.refuse(to, { at, code: 550 });
      await startWorker();
      expect(await untilFailed(await enqueue(codeMail(to)))).to.match(/^Refused: .*550/);
      expect(smtp.attemptsFor(to).length).to.equal(1);
    });
  }

  it('When the server refuses a notice for good (5xx), then its row says so and is left alone', async () => {
    const { startWorker, leave, untilFailed, outbox, ageOutbox, smtp } = platform();
    const to = uniqueEmail();
    smtp.refuse(to, { at: 'recipient', code: 550 });
    await startWorker();
    const id = await leave(noticeMail(to));
    await untilFailed(id);
    const row = (await outbox()).find((candidate) => candidate.id === id);
    expect(row?.failedAt).to.be.an.instanceOf(Date);
    expect(row?.failure).to.match(/^Refused: .*550/);
    await ageOutbox(3_600);
    // A notice behind it has been relayed: so would this one have been.
    const next = uniqueEmail();
    await leave(noticeMail(next));
    await platform().untilSent(next);
    expect(smtp.attemptsFor(to).length).to.equal(1);
  });

  it('When jobs are malformed or unknown, then each fails with its reason, and the mails behind them arrive', async () => {
    const { startWorker, enqueue, enqueueRaw, untilSent, untilFailed } = platform();
    const to = uniqueEmail();
    const job = (mail: unknown) => ({ mail, requestId: 'request-1', inOutbox: false });
    const jobs: [string, unknown, RegExp][] = [
      ['nothing', {}, /no mail/],
      ['no object', 'text', /no mail/],
      ['no template', job({ to }), /template/i],
      ['unknown', job({ template: 'newsletter', to }), /Unknown mail template: "newsletter"/],
      ['of the prototype', job({ template: 'constructor', to }), /Unknown mail template/],
      [
        'no address',
        job({ template: 'password-changed', changedAt: inSeconds(0) }),
        /password-changed.*\bto\b/,
      ],
      ['no code', job({ template: 'reset-password-code', to, expiresAt: inSeconds(9) }), /sealedCode/],
      ['address that is none', job({ ...noticeMail(to), to: { address: to } }), /\bto\b/],
    ];
    const ids: [string, RegExp][] = [];
    for (const [name, data, reason] of jobs) ids.push([await enqueueRaw(name, data), reason]);
    await enqueue(codeMail(to));
    await startWorker({ MAIL_CONCURRENCY: '1' });
    await untilSent(to);
    for (const [id, reason] of ids) expect(await untilFailed(id)).to.match(reason);
  });

  it('When rows of the outbox are malformed, then each is marked with its reason, and those behind it arrive', async () => {
    const { startWorker, leave, untilSent, outbox, smtp } = platform();
    const [to, spoilt] = [uniqueEmail(), uniqueEmail()];
    const rows: [string, RegExp][] = [
      [await leave({ template: 'newsletter', to: spoilt }), /Unknown mail template: "newsletter"/],
      [await leave({ template: 'password-changed', to: spoilt }), /changedAt/],
      [await leave([]), /template/i],
    ];
    await leave(noticeMail(to));
    await startWorker();
    await untilSent(to);
    for (const [id, reason] of rows) {
      const row = (await outbox()).find((candidate) => candidate.id === id);
      expect(row?.failedAt, String(reason)).to.be.an.instanceOf(Date);
      expect(row?.failure).to.match(reason);
    }
    expect(smtp.attemptsFor(spoilt)).to.deep.equal([]);
  });

  it('When one address is refused again and again, then the others do not wait for it', async () => {
    const { startWorker, enqueue, untilSent, smtp } = platform();
    const refused = uniqueEmail();
    smtp.refuse(refused, { at: 'data', code: 451 });
    await startWorker({ MAIL_CONCURRENCY: '1' });
    for (let index = 0; index < 10; index += 1) await enqueue(codeMail(refused));
    const to = uniqueEmail();
    await enqueue(codeMail(to));
    await untilSent(to);
  });

  for (const [name, misconfigure] of [
    ['does not take our password', (url: string) => ({ SMTP_URL: url.replace('//', '//user:wrong@') })],
    ['has no TLS, which we require', () => ({ SMTP_REQUIRE_TLS: 'true' })],
  ] as [string, (url: string) => Record<string, string>][])
    it(`When the server ${name}, then that is no fault of the mail: it waits, and arrives once that is mended`, async () => {
      const { startWorker, leave, untilSent, outbox, queue, smtp } = platform();
      const to = uniqueEmail();
      const { logs, stop } = await startWorker(misconfigure(smtp.url));
      const id = await leave(noticeMail(to));
      await waitFor('it is tried', () =>
        logs()
          .split('\n')
          .some((line) => line.includes('mail not sent') && line.includes(id)),
      );
      await stop();
      expect(smtp.attemptsFor(to)).to.deep.equal([]);
      const [row] = await outbox();
      expect(row).to.include({ id, failedAt: null });
      await queue.promoteJobs();
      await startWorker();
      await untilSent(to);
    });

  it('When the server says nothing, then the try ends long before the lock of the job, and the mail arrives later', async () => {
    const { startWorker, enqueue, untilSent, mailsTo, smtp } = platform();
    const to = uniqueEmail();
    const silencer = await startSilencer(smtp.url);
    const started = performance.now();
    const { logs } = await startWorker({ SMTP_URL: silencer.url });
    await enqueue(codeMail(to));
    await waitFor('the try ends', () => logs().includes('mail not sent'), 12);
    expect(performance.now() - started).to.be.below(12_000);
    silencer.speak();
    await untilSent(to);
    expect(mailsTo(to).length).to.equal(1);
    silencer.stop();
  });
});
