import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bearer, CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { codeIn, createInboxClient, type InboxClient } from '@platform/shared/testing/inbox';
import { waitFor } from '@platform/shared/testing/poll';
import { send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { usePlatform } from './use-platform.ts';

const NEW_PASSWORD = 'Unmistakable horse 2';
const LAST_PASSWORD = 'Unmistakable horse 3';
const PASSWORDS = [PASSWORD, NEW_PASSWORD, LAST_PASSWORD];
const NOTICE = 'Your password was changed';

describe('mailed codes and notices', () => {
  const platform = usePlatform();
  let inbox: InboxClient;
  const codes: string[] = [];
  before('create the inbox client', () => {
    inbox = createInboxClient(platform().stack.inboxUrl);
  });

  it("use the language of the owner's own requests, with the code first and not in the subject", async () => {
    const client = createAuthClient(platform().gatewayUrl, CUSTOMER);
    const email = uniqueEmail();
    await send(platform().gatewayUrl, 'POST', `${CUSTOMER.path}/sign-up`, {
      headers: { 'Accept-Language': 'de-DE, de;q=0.9, en;q=0.5' },
      body: { email, password: PASSWORD },
    });
    const foreign = { 'Accept-Language': 'en' };
    expect((await client.resetPasswordEmailCodeSend({ body: { email }, headers: foreign })).status).to.equal(
      200,
    );
    const mail = await inbox.untilMail(email, 'Ihr Code zum Zurücksetzen des Passworts');
    const code = codeIn(mail);
    codes.push(code);
    expect(mail.subject).to.equal('Ihr Code zum Zurücksetzen des Passworts');
    expect(mail.text.startsWith(`${code} ist Ihr Code`)).to.equal(true);
    expect(mail.html).to.match(
      new RegExp(`<html lang="de">.*<body[^>]*><div [^>]*>${code} ist Ihr Code`, 's'),
    );
    const reset = { email, code, newPassword: NEW_PASSWORD };
    expect((await client.resetPasswordEmailCode({ body: reset, headers: foreign })).status).to.equal(204);
    await inbox.untilMail(email, 'Ihr Passwort wurde geändert');

    const device = await client.openDevice({ email, password: NEW_PASSWORD });
    await client.me({ ...device, headers: foreign });
    const text = `select 1 from users where email = $1 and language = 'en'`;
    await waitFor(
      'the language of the signed-in request is stored',
      async () => (await platform().records.query(text, [email])).length === 1,
    );
    const change = { currentPassword: NEW_PASSWORD, newPassword: LAST_PASSWORD };
    expect((await client.resetPasswordMe({ ...device, body: change })).status).to.equal(204);
    await inbox.untilMail(email, NOTICE);
  });

  it('fill no mailbox of a stranger: ten notices an hour, although new accounts use its address', async () => {
    const client = createAuthClient(platform().gatewayUrl, CUSTOMER);
    const email = uniqueEmail();
    const waiting = `select 1 from mail_outbox where mail->>'to' = $1`;
    const untilNoneWaits = () =>
      waitFor('no notice waits', async () => (await platform().records.query(waiting, [email])).length === 0);
    for (let account = 0; account < 3; account += 1) {
      await client.createAccount({ email });
      let currentPassword = PASSWORD;
      for (const newPassword of [NEW_PASSWORD, LAST_PASSWORD, NEW_PASSWORD, LAST_PASSWORD]) {
        const device = await client.openDevice({ email, password: currentPassword });
        const body = { currentPassword, newPassword };
        const { status, text } = await client.resetPasswordMe({ ...device, body });
        expect(status, text).to.equal(204);
        currentPassword = newPassword;
      }
      // The deletion of an account deletes its waiting mails.
      await untilNoneWaits();
      const device = await client.openDevice({ email, password: currentPassword });
      const { status, text } = await send(platform().gatewayUrl, 'POST', `${CUSTOMER.path}/account/delete`, {
        headers: bearer(device),
        body: { currentPassword },
      });
      expect(status, text).to.equal(204);
    }
    await untilNoneWaits();
    expect((await inbox.mailsTo(email)).length).to.equal(10);
  });

  it('appear in no log, neither codes nor passwords', async () => {
    const directory = join(platform().running.dataDir, 'logs');
    const logs = await Promise.all(
      (await readdir(directory)).map((name) => readFile(join(directory, name), 'utf8')),
    );
    const everything = logs.join('\n');
    expect(everything).to.include('mail sent').and.include('/reset-password/email/code');
    for (const password of PASSWORDS) expect(everything).not.to.include(password);
    // Numbers without quotes are process ids, ports and durations, which may contain the digits of a code.
    const texts = everything.match(/"(?:[^"\\]|\\.)*"|'[^']*'/g)?.join('\n');
    for (const code of codes) expect(texts).not.to.match(new RegExp(`(?<![\\w-])${code}(?![\\w-])`));
  });
});
