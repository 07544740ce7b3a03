import { readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { expect } from 'chai';
import { reservePorts } from '../ports.ts';
import { useTemporaryDirectory } from '../testing/temporary-directory.ts';
import { startInbox } from './inbox.ts';
import type { Mail } from './mail.ts';
import { openMailStore } from './mail-store.ts';

/** Sends a mail. @returns the last SMTP response, "250 …" if the mail was accepted */
const sendMail = async (smtpUrl: string, to: string[], message: string): Promise<string> => {
  const { hostname, port } = new URL(smtpUrl);
  const socket = connect(Number(port), hostname);
  const responses = createInterface({ input: socket })[Symbol.asyncIterator]();
  const readResponse = async (): Promise<string> => {
    const { value = '' } = await responses.next();
    return /^\d{3}-/.test(value) ? readResponse() : value;
  };
  try {
    await readResponse();
    for (const command of [
      'EHLO test',
      'MAIL FROM:<a@example.com>',
      ...to.map((one) => `RCPT TO:<${one}>`),
      'DATA',
    ]) {
      socket.write(`${command}\r\n`);
      const response = await readResponse();
      if (/^[45]/.test(response)) return response;
    }
    socket.write(`${message.replace(/\r?\n/g, '\r\n')}\r\n.\r\n`);
    return await readResponse();
  } finally {
    socket.destroy();
  }
};

const sample = (subject: string, to = 'Kim <kim@example.com>', ...headers: string[]) =>
  [
    ...headers,
    'From: Shop <shop@example.com>',
    `To: ${to}`,
    `Subject: ${subject}`,
    'Message-ID: <1@example.com>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=cut',
    '',
    ...['--cut', 'Content-Type: text/plain; charset=utf-8', '', '123456 is your code ✓'],
    ...[
      '--cut',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>Your code</p><script>alert(1)</script>',
      '--cut--',
    ],
  ].join('\n');

describe('development inbox', () => {
  let inbox: Awaited<ReturnType<typeof startInbox>>;
  const stop = async () => {
    inbox.kill();
    await inbox.stop();
  };
  const directory = useTemporaryDirectory(stop);
  let mails: string;

  const start = async () => {
    mails = join(directory.path, 'inbox');
    const any = { port: 0, host: '127.0.0.1' };
    const { web, smtp } = await reservePorts({ web: any, smtp: any });
    await Promise.all([web.release(), smtp.release()]);
    const options = {
      port: web.port,
      smtpPort: smtp.port,
      directory: mails,
      logFile: join(directory.path, 'log'),
      publicUrl: 'http://platform:8025',
    };
    inbox = await startInbox(options);
  };
  const list = async (query = '') => (await (await fetch(`${inbox.url}/api/email${query}`)).json()) as Mail[];

  before(start);
  afterEach(() => fetch(`${inbox.url}/api/email/all`, { method: 'DELETE' }));

  it('lists a mail with its recipients, subject, text and HTML', async () => {
    expect(await sendMail(inbox.smtpUrl, ['kim@example.com'], sample('Grüße'))).to.match(/^250/);
    const [mail, ...others] = await list();
    expect(others).to.deep.equal([]);
    expect(mail).to.deep.include({
      to: ['kim@example.com'],
      from: 'shop@example.com',
      subject: 'Grüße',
      sender: 'Shop',
      mail: null,
      code: null,
      text: '123456 is your code ✓',
      messageId: '<1@example.com>',
    });
    expect(mail?.html).to.include('<p>Your code</p>');
    expect(mail?.headers.to).to.equal('Kim <kim@example.com>');
  });

  it('is not read under another host name, which a web page could let resolve to 127.0.0.1', async () => {
    const client = createHttpClient(inbox.url);
    const { status } = await client.sendOrThrow({ path: '/api/email', headers: { Host: 'evil.example' } });
    expect(status).to.equal(421);
    const known = await client.sendOrThrow({ path: '/api/email', headers: { Host: 'platform:8025' } });
    expect(known.status, 'the host of INBOX_URL').to.equal(200);
  });

  it('keeps all acknowledged mails in order after kill -9', async () => {
    for (const subject of ['one', 'two', 'three'])
      await sendMail(inbox.smtpUrl, ['kim@example.com'], sample(subject));
    await stop();
    writeFileSync(join(mails, 'half.eml.new'), 'cut off');
    await start();
    expect((await list()).map((mail) => mail.subject)).to.deep.equal(['one', 'two', 'three']);
    expect(readdirSync(mails)).to.have.length(3);
  });

  it('filters mails by recipient and number', async () => {
    await sendMail(inbox.smtpUrl, ['kim@example.com'], sample('one'));
    await sendMail(
      inbox.smtpUrl,
      ['Lee@example.com', 'hidden@example.com'],
      sample('two', 'lee@example.com'),
    );
    const subjects = async (query: string) => (await list(query)).map((mail) => mail.subject);
    expect(await subjects('?to=LEE@example.com')).to.deep.equal(['two']);
    expect(await subjects('?to=hidden@example.com')).to.deep.equal(['two']);
    expect(await subjects('?to=nobody@example.com')).to.deep.equal([]);
    expect(await subjects('?limit=1')).to.deep.equal(['two']);
  });

  it('waits for the next mail of a name, and gives its code', async () => {
    const send = (name: string, subject: string, to = 'kim@example.com') =>
      sendMail(inbox.smtpUrl, [to], sample(subject, to, `X-Mail-Template: ${name}`));
    await send('sign-in-code', 'earlier');
    const [earlier] = await list('?to=kim@example.com&wait=20');
    const next = list(`?to=kim@example.com&mail=sign-in-code&after=${earlier?.id}&wait=20`);
    await send('sign-in-code', 'of another', 'lee@example.com');
    await send('password-changed', 'another mail');
    await send('sign-in-code', 'next');
    expect((await next).map(({ subject, mail, code }) => ({ subject, mail, code }))).to.deep.equal([
      { subject: 'next', mail: 'sign-in-code', code: '123456' },
    ]);
    expect(await list('?to=nobody@example.com&wait=1')).to.deep.equal([]);
    const { status } = await fetch(`${inbox.url}/api/email?wait=31`);
    expect(status).to.equal(400);
  });

  it('rejects the next mails to an address with the response that was set', async () => {
    const setMailbox = (body: object) =>
      fetch(`${inbox.url}/api/mailbox/Kim@example.com`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await setMailbox({ code: 550, text: 'No such mailbox', times: 1 })).status).to.equal(204);
    expect((await setMailbox({ code: 550 })).status).to.equal(400);
    await sendMail(inbox.smtpUrl, ['lee@example.com'], sample('one'));
    expect(await sendMail(inbox.smtpUrl, ['kim@example.com'], sample('one'))).to.match(
      /^550 No such mailbox/,
    );
    expect(await sendMail(inbox.smtpUrl, ['kim@example.com'], sample('two'))).to.match(/^250/);
    expect((await list('?to=kim@example.com')).map(({ subject }) => subject)).to.include('two');
  });

  it('gives the link of a mail of the platform, but not those of its footer, and recipients alone', async () => {
    const text = sample('one', 'kim@example.com', 'X-Mail-Template: invitation');
    const linked = text.replace(
      '123456 is your code ✓',
      'Accept: https://a.example/i#c\n\n-- \nTerms: https://b.example',
    );
    await sendMail(inbox.smtpUrl, ['kim@example.com'], linked);
    const [mail] = await list();
    expect(mail?.link).to.equal('https://a.example/i#c');
    expect(await list('?fields=to')).to.deep.equal([{ id: mail?.id, to: ['kim@example.com'] }]);
  });

  it('deletes the mails to one address', async () => {
    for (const to of ['kim@example.com', 'lee@example.com'])
      await sendMail(inbox.smtpUrl, [to], sample('one', to));
    const remove = async (query: string) =>
      (await fetch(`${inbox.url}/api/email${query}`, { method: 'DELETE' })).status;
    expect(await remove('?to=Kim@example.com')).to.equal(204);
    expect(await remove('')).to.equal(400);
    expect((await list()).map(({ to }) => to)).to.deep.equal([['lee@example.com']]);
  });

  it('rejects a mail that is too large with 552', async () => {
    const large = `${sample('large')}\n${'x'.repeat(76).concat('\n').repeat(75_000)}`;
    expect(await sendMail(inbox.smtpUrl, ['kim@example.com'], large)).to.match(/^552/);
    expect(await list()).to.deep.equal([]);
  });

  it('shows the HTML of a mail without scripts and network access', async () => {
    await sendMail(inbox.smtpUrl, ['kim@example.com'], sample('one'));
    const [mail] = await list();
    const response = await fetch(`${inbox.url}/api/email/${mail?.id}/html`);
    const policy = response.headers.get('content-security-policy');
    expect(policy).to.include("default-src 'none'").and.include('sandbox').and.not.include('allow-scripts');
    expect(policy).to.not.match(/script-src|https?:/);
    const page = await fetch(inbox.url);
    expect(page.headers.get('content-security-policy'))
      .to.include("script-src 'self'")
      .and.not.include('unsafe');
    expect(await page.text()).to.include('<title>Inbox</title>');
  });
});

describe('development inbox store', () => {
  const directory = useTemporaryDirectory();

  it('deletes the oldest mails if there are too many', async () => {
    const path = join(directory.path, 'many');
    const store = await openMailStore(path, 2);
    for (const subject of ['one', 'two', 'three']) {
      await store.add(Buffer.from(`Subject: ${subject}\r\n\r\n`), { from: '', to: ['a@b.c'] });
    }
    expect((await store.list()).map((mail) => mail.subject)).to.deep.equal(['two', 'three']);
    expect(readdirSync(path)).to.have.length(2);
    const reopened = await openMailStore(path, 1);
    expect((await reopened.list()).map((mail) => mail.subject)).to.deep.equal(['three']);
  });
});
