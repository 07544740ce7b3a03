import { ACCOUNT_KINDS, otherKind } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { parseSetCookies } from '@platform/shared/testing/http-client';
import { countSessions } from '@platform/shared/testing/query-database';
import { expectError, observable } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { otherThan, useCodeService } from './code-service.ts';

const NEW_PASSWORD = 'A better horse 2';

const malformed: [string, object, string][] = [
  ['no e-mail', { email: undefined }, '/body/email'],
  ['an e-mail that is none', { email: 'somebody' }, '/body/email'],
  ['an e-mail with a line break', { email: 'a@example.com\r\nBcc: b@example.com' }, '/body/email'],
  ['a list of e-mails', { email: ['a@example.com', 'b@example.com'] }, '/body/email'],
  ['no code', { code: undefined }, '/body/code'],
  ['a code of five digits', { code: '12345' }, '/body/code'],
  ['a code that is null', { code: null }, '/body/code'],
  ['a code of letters', { code: 'abcdef' }, '/body/code'],
  ['no new password', { newPassword: undefined }, '/body/newPassword'],
  ['a new password of 7 characters', { newPassword: '1234567' }, '/body/newPassword'],
  ['a new password of 74 bytes', { newPassword: 'ü'.repeat(37) }, '/body/newPassword'],
];

describe('A password reset by e-mailed code', () => {
  const service = useCodeService();

  for (const kind of ACCOUNT_KINDS)
    describe(`of ${kind.plural}`, () => {
      const client = () => service().client(kind);
      const mailsTo = async (email: string) =>
        (await service().queuedMails()).filter((mail) => 'to' in mail && mail.to === email);
      const withCode = async () => {
        const account = await client().createAccount();
        expect((await client().sendResetCode({ email: account.email })).status).to.equal(200);
        return { ...account, code: await service().codeFor(account.email) };
      };
      const reset = (email: string, code: string, newPassword = NEW_PASSWORD) =>
        client().resetPassword({ email, code, newPassword });

      it('When a code is asked for, then one mail with six digits is queued, for fifteen minutes', async () => {
        const { email } = await client().createAccount();
        const { status, body } = await client().sendResetCode({ email });
        expect({ status, body }).to.deep.equal({ status: 200, body: { expiresIn: 900, resendIn: 120 } });
        const [mail, ...others] = await mailsTo(email);
        expect(others).to.deep.equal([]);
        if (mail?.template !== 'reset-password-code') throw new Error('No reset mail was queued');
        expect(Date.parse(mail.expiresAt) - Date.now()).to.be.within(890_000, 900_000);
        expect(await service().codeFor(email)).to.match(/^\d{6}$/);
      });

      it('When the e-mail is unknown, then every answer is the one of a known e-mail, and no mail is queued', async () => {
        const known = (await client().createAccount()).email;
        const unknown = uniqueEmail();
        const askTwiceAndTry = async (email: string) => [
          observable(await client().sendResetCode({ email })),
          observable(await client().sendResetCode({ email })),
          observable(await reset(email, '000000')),
        ];
        const answers = await askTwiceAndTry(known);
        expect(answers.map(({ status }) => status)).to.deep.equal([200, 429, 400]);
        expect(await askTwiceAndTry(unknown)).to.deep.equal(answers);
        expect(await mailsTo(unknown)).to.deep.equal([]);
      });

      it('When the e-mail is unknown, then the lock holds for it, too, in whatever letter case', async () => {
        const email = uniqueEmail();
        expect((await client().sendResetCode({ email: email.toUpperCase() })).status).to.equal(200);
        const answer = await client().sendResetCode({ email });
        expectError(answer, 429, 'RESEND_LOCKED');
        expect(Number(answer.headers['retry-after'])).to.be.within(115, 120);
        await service().redis.passTime(120);
        expect((await client().sendResetCode({ email })).status).to.equal(200);
      });

      it('When the e-mail belongs to an account of another kind, then it is unknown here', async () => {
        const { email, password } = await service().client(otherKind(kind)).createAccount();
        expect((await client().sendResetCode({ email })).status).to.equal(200);
        expect(await mailsTo(email)).to.deep.equal([]);
        expectError(await reset(email, '000000'), 400, 'CODE_INVALID');
        await service().client(otherKind(kind)).openDevice({ email, password });
      });

      it('When the right code comes, then the new password signs in and the old one does not', async () => {
        const { email, code } = await withCode();
        const answer = await reset(email, code);
        expect(answer.status, answer.text).to.equal(204);
        expect(answer.text).to.equal('');
        expectError(
          await client().signIn({ email, password: PASSWORD }, 'device'),
          401,
          'INVALID_CREDENTIALS',
        );
        await client().openDevice({ email, password: NEW_PASSWORD });
      });

      it('When the password is reset, then nobody is signed in by it', async () => {
        const { email, code, userId } = await withCode();
        const answer = await reset(email, code);
        expect(parseSetCookies(answer)).to.deep.equal([]);
        expect(await countSessions(service().databaseUrl, userId)).to.deep.equal({
          sessions: 0,
          tokenRecords: 0,
        });
      });

      it('When the password is reset, then every device is signed out, and its session waits for it', async () => {
        const account = await withCode();
        const devices = [await client().openDevice(account), await client().openDevice(account)];
        expect((await reset(account.email, account.code)).status).to.equal(204);
        for (const device of devices) await client().expectSignedOut(device);
        for (const device of devices) {
          const again = await client().openDevice(
            { email: account.email, password: NEW_PASSWORD },
            device.fingerprint,
          );
          expect(again.sessionId).to.equal(device.sessionId);
        }
      });

      it('When the password is reset, then the devices of other users stay signed in', async () => {
        const other = await client().openDevice(await client().createAccount());
        const { email, code } = await withCode();
        expect((await reset(email, code)).status).to.equal(204);
        await client().expectSignedIn(other);
      });

      it('When the password is reset, then the e-mail is verified', async () => {
        const { email, code } = await withCode();
        expect((await reset(email, code)).status).to.equal(204);
        const device = await client().openDevice({ email, password: NEW_PASSWORD });
        expect((await client().checkVerified(device)).body).to.deep.equal({ verified: true });
      });

      it('When the password is reset, then one notice waits in the outbox, without a secret in it', async () => {
        const { email, code } = await withCode();
        expect(await service().outboxFor(email)).to.deep.equal([]);
        expect((await reset(email, code)).status).to.equal(204);
        const [notice, ...others] = await service().outboxFor(email);
        expect(others).to.deep.equal([]);
        expect(notice).to.have.all.keys('template', 'to', 'changedAt');
        expect(notice).to.include({ template: 'password-changed', to: email });
      });

      it('When the e-mail is verified already, then its password is reset all the same', async () => {
        const account = await client().createAccount();
        const device = await client().openDevice(account);
        expect((await client().sendVerificationCode(device)).status).to.equal(200);
        const verification = { code: await service().codeFor(account.email) };
        expect((await client().verifyEmail(device, verification)).status).to.equal(200);
        expect((await client().sendResetCode({ email: account.email })).status).to.equal(200);
        expect((await reset(account.email, await service().codeFor(account.email))).status).to.equal(204);
      });

      it('When the e-mail is typed in another letter case, then it is the same one', async () => {
        const account = await client().createAccount();
        expect((await client().sendResetCode({ email: account.email.toUpperCase() })).status).to.equal(200);
        const code = await service().codeFor(account.email);
        expect((await reset(account.email.toUpperCase(), code)).status).to.equal(204);
        await client().openDevice({ email: account.email, password: NEW_PASSWORD });
      });

      it('When the code is sent as a number, then it is accepted', async () => {
        const { email } = await client().createAccount();
        let code = '0';
        // A number has no leading zeros: of ten codes, one has.
        while (code.startsWith('0')) {
          await service().redis.passTime(120);
          expect((await client().sendResetCode({ email })).status).to.equal(200);
          code = await service().codeFor(email);
        }
        const answer = await client().resetPassword({ email, code: Number(code), newPassword: NEW_PASSWORD });
        expect(answer.status).to.equal(204);
      });

      it('When the code is wrong, used, replaced, expired or was never sent, then the answer is one and the same', async () => {
        const wrong = await withCode();
        const used = await withCode();
        const replaced = await withCode();
        const expired = await withCode();
        expect((await reset(used.email, used.code)).status).to.equal(204);
        await service().redis.passTime(120);
        expect((await client().sendResetCode({ email: replaced.email })).status).to.equal(200);
        const answers = [
          await reset(wrong.email, otherThan(wrong.code)),
          await reset(used.email, used.code),
          await reset(replaced.email, replaced.code),
          await reset((await client().createAccount()).email, '123456'),
        ];
        await service().redis.passTime(780);
        answers.push(await reset(expired.email, expired.code));
        for (const answer of answers) expectError(answer, 400, 'CODE_INVALID');
        expect(new Set(answers.map((answer) => JSON.stringify(observable(answer)))).size).to.equal(1);
        await client().openDevice(wrong);
      });

      it('When the code comes within fifteen minutes, then it is right', async () => {
        const { email, code } = await withCode();
        await service().redis.passTime(890);
        expect((await reset(email, code)).status).to.equal(204);
      });

      it('When the new password is refused, then neither the code nor a try is used up', async () => {
        const { email, code } = await withCode();
        for (let round = 0; round < 6; round += 1)
          expectError(await reset(email, code, 'short'), 400, 'VALIDATION_FAILED', '/body/newPassword');
        expect((await reset(email, code)).status).to.equal(204);
      });

      it('When the new password is the old one, then it is accepted, and the devices are signed out', async () => {
        const account = await withCode();
        const device = await client().openDevice(account);
        expect((await reset(account.email, account.code, PASSWORD)).status).to.equal(204);
        await client().expectSignedOut(device);
      });

      for (const [name, change, path] of malformed)
        it(`When it comes with ${name}, then the field is named`, async () => {
          const body = { email: uniqueEmail(), code: '123456', newPassword: NEW_PASSWORD, ...change };
          expectError(await client().resetPassword(body), 400, 'VALIDATION_FAILED', path);
        });

      for (const [name, change, path] of malformed.filter(([, , where]) => where === '/body/email'))
        it(`When a code is asked for with ${name}, then the field is named`, async () => {
          const body = { email: uniqueEmail(), ...change };
          expectError(await client().sendResetCode(body), 400, 'VALIDATION_FAILED', path);
        });

      it('When other fields come along, then they are dropped', async () => {
        const { email, userId } = await client().createAccount();
        const sent = await client().sendResetCode({ email, code: '111111', userId });
        expect(sent.status).to.equal(200);
        const code = await service().codeFor(email);
        const body = { email, code, newPassword: NEW_PASSWORD, isBlocked: true, roles: ['ADMIN'] };
        expect((await client().resetPassword(body)).status).to.equal(204);
        const me = await client().me(await client().openDevice({ email, password: NEW_PASSWORD }));
        expect(me.body.user.roles).to.deep.equal([kind.role]);
      });
    });
});
