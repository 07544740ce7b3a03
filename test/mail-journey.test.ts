import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectError } from '@platform/shared/testing/answers';
import { ACCOUNT_KINDS, type AccountKind } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { createCodeClient } from '@platform/shared/testing/code-client';
import { codeIn, createInboxClient, type InboxClient } from '@platform/shared/testing/inbox';
import { type RunningStack, sharedStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';

const NEW_PASSWORD = 'Unmistakable horse 2';
const LAST_PASSWORD = 'Unmistakable horse 3';
const NOTICE = 'Your password was changed';

describe('With a mailbox of their own', () => {
  let running: RunningStack;
  let inbox: InboxClient;
  /** What must be in no log. */
  const secrets: string[] = [PASSWORD, NEW_PASSWORD, LAST_PASSWORD];
  before('start the stack', async function () {
    this.timeout(60_000);
    running = await sharedStack();
    inbox = createInboxClient(running.stack.inboxUrl);
  });
  const clientOf = (kind: AccountKind) => createCodeClient(running.stack.gatewayUrl, kind);
  const readCode = async (email: string, subject: string): Promise<string> => {
    const code = codeIn(await inbox.untilMail(email, subject));
    secrets.push(code);
    return code;
  };

  for (const kind of ACCOUNT_KINDS) {
    it(`one of the ${kind.plural} verifies the e-mail, forgets the password, and resets it with mailed codes`, async () => {
      const client = clientOf(kind);
      const email = uniqueEmail();
      expect((await client.signUp({ email, password: PASSWORD })).status).to.equal(201);
      const [device, other] = [
        await client.openDevice({ email, password: PASSWORD }),
        await client.openDevice({ email, password: PASSWORD }),
      ];
      expect((await client.checkVerified(device)).body).to.deep.equal({ verified: false });
      expect(await inbox.mailsTo(email)).to.deep.equal([]);

      expect((await client.sendVerificationCode(device)).body).to.deep.equal({
        expiresIn: 900,
        resendIn: 120,
      });
      const code = await readCode(email, 'Your verification code');
      expect((await client.verifyEmail(device, { code })).body).to.deep.equal({ verified: true });
      expect((await client.me(other)).body.user.isEmailVerified).to.equal(true);

      expect((await client.sendResetCode({ email })).body).to.deep.equal({ expiresIn: 900, resendIn: 120 });
      const resetCode = await readCode(email, 'Your code to reset the password');
      const reset = await client.resetPassword({ email, code: resetCode, newPassword: NEW_PASSWORD });
      expect(reset.status, reset.text).to.equal(204);

      for (const old of [device, other]) {
        expectError(await client.me(old), 401, 'TOKEN_INVALID');
        expectError(await client.universalMe(old), 401, 'TOKEN_INVALID');
        expectError(await client.refresh(old), 401, 'TOKEN_INVALID');
      }
      expectError(await client.signIn({ email, password: PASSWORD }, 'device'), 401, 'INVALID_CREDENTIALS');
      await client.openDevice({ email, password: NEW_PASSWORD });
      const { text, html } = await inbox.untilMail(email, NOTICE);
      expect(text).to.include('UTC').and.not.to.include(NEW_PASSWORD);
      expect(html).to.include('signed out').and.not.to.include(NEW_PASSWORD);
      expect((await inbox.mailsTo(email)).length).to.equal(3);
    });

    it(`one of the ${kind.plural} changes the password on one device, and is told so`, async () => {
      const client = clientOf(kind);
      const account = await client.createAccount();
      const [device, other] = [await client.openDevice(account), await client.openDevice(account)];
      const change = { currentPassword: PASSWORD, newPassword: LAST_PASSWORD };
      expect((await client.changePassword(device, change)).status).to.equal(204);
      await client.expectSignedOut(other);
      await client.expectSignedIn(device);
      await client.openDevice({ email: account.email, password: LAST_PASSWORD });
      await inbox.untilMail(account.email, NOTICE);
    });

    it(`somebody who is none of the ${kind.plural} asks for a code, and no mail comes`, async () => {
      const client = clientOf(kind);
      const [email, known] = [uniqueEmail(), (await client.createAccount()).email];
      expect((await client.sendResetCode({ email })).status).to.equal(200);
      // Mails leave in order: once this one is there, the other would be, too.
      expect((await client.sendResetCode({ email: known })).status).to.equal(200);
      await readCode(known, 'Your code to reset the password');
      expect(await inbox.mailsTo(email)).to.deep.equal([]);
    });
  }

  it('none of the codes and passwords is in a log', async () => {
    const directory = join(running.dataDir, 'logs');
    const logs = await Promise.all(
      (await readdir(directory)).map((name) => readFile(join(directory, name), 'utf8')),
    );
    const everything = logs.join('\n');
    expect(everything).to.include('mail sent').and.include('/reset-password/email/code');
    // Codes as words of their own: a time in milliseconds may hold their digits by chance.
    for (const secret of secrets)
      expect(everything).not.to.match(new RegExp(`(?<![0-9a-f-])${secret}(?![0-9a-f-])`));
  });
});
