import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import { cipher, codeMail, noticeMail, useMailFixture } from '../../testing/mail-fixture.ts';

/** A proxy for an SMTP server that accepts connections and sends nothing until `forward` is called. */
const startSilentProxy = async (smtpUrl: string) => {
  const target = Number(new URL(smtpUrl).port);
  const sockets = new Set<Socket>();
  let silent = true;
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    if (silent) return;
    const upstream = connect(target, '127.0.0.1').on('error', () => undefined);
    sockets.add(upstream);
    socket.pipe(upstream).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forward: () => {
      silent = false;
    },
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};

describe('mail delivery failures', () => {
  const fixture = useMailFixture();

  for (const at of ['recipient', 'data'] as const) {
    it(`retries after a temporary rejection (4xx, ${at}) and delivers once`, async () => {
      const { startWorker, enqueue, waitUntilSent, waitUntilQueueEmpty, getMailsTo, smtp } = fixture();
      const to = uniqueEmail();
      smtp.refuse(to, { at, code: 451, times: 1 });
      await startWorker();
      const id = await enqueue(codeMail(to));
      await waitUntilSent(to);
      await waitUntilQueueEmpty();
      expect(getMailsTo(to).length).to.equal(1);
      const attempts = smtp.attemptsFor(to);
      expect(attempts.length).to.equal(2);
      for (const messageId of attempts.filter((text) => text !== ''))
        expect(messageId).to.equal(`<${id}@platform.example>`);
    });

    it(`fails with the reason and no retry after a permanent rejection (5xx, ${at}) of a code`, async () => {
      const { startWorker, enqueue, waitUntilFailed, smtp } = fixture();
      const to = uniqueEmail();
      smtp.refuse(to, { at, code: 550 });
      await startWorker();
      expect(await waitUntilFailed(await enqueue(codeMail(to)))).to.match(/^Rejected: .*550/);
      expect(smtp.attemptsFor(to).length).to.equal(1);
    });
  }

  it('marks the outbox row of a permanently rejected (5xx) notice as failed and keeps it', async () => {
    const { startWorker, addToOutbox, waitUntilFailed, readOutbox, ageOutbox, smtp } = fixture();
    const to = uniqueEmail();
    smtp.refuse(to, { at: 'recipient', code: 550 });
    await startWorker();
    const id = await addToOutbox(noticeMail(to));
    await waitUntilFailed(id);
    const row = (await readOutbox()).find((candidate) => candidate.id === id);
    expect(row?.failedAt).to.be.an.instanceOf(Date);
    expect(row?.failure).to.match(/^Rejected: .*550/);
    await ageOutbox(3_600);
    // A later notice was relayed, so the failed one would have been relayed, too.
    const next = uniqueEmail();
    await addToOutbox(noticeMail(next));
    await fixture().waitUntilSent(next);
    expect(smtp.attemptsFor(to).length).to.equal(1);
  });

  for (const [name, toMail] of [
    ['of the deletion', (userId: string) => ({ fields: {}, userId })],
    [
      'to a previous address',
      (userId: string) => ({ fields: { template: 'email-changed', userId }, userId: undefined }),
    ],
  ] as const)
    it(`deletes a permanently rejected notice ${name} of an account that is gone`, async () => {
      const { startWorker, addToOutbox, waitUntilFailed, readOutbox, records, smtp } = fixture();
      const { id } = await records.user(['CUSTOMER']);
      await records.query('update users set email = null, deleted_at = now() where id = $1', [id]);
      const to = uniqueEmail();
      smtp.refuse(to, { at: 'recipient', code: 550 });
      await startWorker();
      const { fields, userId } = toMail(id);
      await waitUntilFailed(await addToOutbox({ ...noticeMail(to), ...fields }, userId));
      expect(await readOutbox()).to.deep.equal([]);
    });

  it('fails malformed jobs with a reason and delivers the mails behind them', async () => {
    const { startWorker, enqueue, enqueueRaw, waitUntilSent, waitUntilFailed } = fixture();
    const to = uniqueEmail();
    const sealedMail = cipher.encrypt(JSON.stringify({ template: 'newsletter', to }));
    const jobs: [string, unknown, RegExp][] = [
      ['empty', {}, /must be of type string/],
      ['unknown', { sealedMail, requestId: 'request-1' }, /Unknown mail template: "newsletter"/],
    ];
    const ids: [string, RegExp][] = [];
    for (const [name, data, reason] of jobs) ids.push([await enqueueRaw(name, data), reason]);
    await enqueue(codeMail(to));
    await startWorker({ MAIL_CONCURRENCY: '1' });
    await waitUntilSent(to);
    for (const [id, reason] of ids) expect(await waitUntilFailed(id)).to.match(reason);
  });

  it('marks malformed outbox rows with a reason and delivers the mails behind them', async () => {
    const { startWorker, addToOutbox, waitUntilSent, readOutbox, smtp } = fixture();
    const [to, invalid] = [uniqueEmail(), uniqueEmail()];
    const rows: [string, RegExp][] = [
      [await addToOutbox({ template: 'newsletter', to: invalid }), /Unknown mail template: "newsletter"/],
    ];
    await addToOutbox(noticeMail(to));
    await startWorker();
    await waitUntilSent(to);
    for (const [id, reason] of rows) {
      const row = (await readOutbox()).find((candidate) => candidate.id === id);
      expect(row?.failedAt, String(reason)).to.be.an.instanceOf(Date);
      expect(row?.failure).to.match(reason);
    }
    expect(smtp.attemptsFor(invalid)).to.deep.equal([]);
  });

  it('delivers other mails while one address is rejected repeatedly', async () => {
    const { startWorker, enqueue, waitUntilSent, smtp } = fixture();
    const rejected = uniqueEmail();
    smtp.refuse(rejected, { at: 'data', code: 451 });
    await startWorker({ MAIL_CONCURRENCY: '1' });
    for (let index = 0; index < 10; index += 1) await enqueue(codeMail(rejected));
    const to = uniqueEmail();
    await enqueue(codeMail(to));
    await waitUntilSent(to);
  });

  for (const [name, misconfigure] of [
    ['rejects the password', (url: string) => ({ SMTP_URL: url.replace('//', '//user:wrong@') })],
    ['lacks the required TLS', () => ({ SMTP_REQUIRE_TLS: 'true' })],
  ] as [string, (url: string) => Record<string, string>][])
    it(`keeps the mail and delivers it after a fix when the server ${name}`, async () => {
      const { startWorker, addToOutbox, waitUntilSent, readOutbox, queue, smtp } = fixture();
      const to = uniqueEmail();
      const { logs, stop } = await startWorker(misconfigure(smtp.url));
      const id = await addToOutbox(noticeMail(to));
      await waitFor('the first attempt fails', () =>
        logs()
          .split('\n')
          .some((line) => line.includes('mail not sent') && line.includes(id)),
      );
      await stop();
      expect(smtp.attemptsFor(to)).to.deep.equal([]);
      const [row] = await readOutbox();
      expect(row).to.include({ id, failedAt: null });
      await queue.promoteJobs();
      await startWorker();
      await waitUntilSent(to);
    });

  it('times out before the job lock expires when the server sends nothing, and retries', async () => {
    const { startWorker, enqueue, waitUntilSent, getMailsTo, smtp } = fixture();
    const to = uniqueEmail();
    const proxy = await startSilentProxy(smtp.url);
    const { logs } = await startWorker({ SMTP_URL: proxy.url });
    await enqueue(codeMail(to));
    await waitFor('the attempt fails', () => logs().includes('mail not sent'));
    proxy.forward();
    await waitUntilSent(to);
    expect(getMailsTo(to).length).to.equal(1);
    proxy.stop();
  });
});
