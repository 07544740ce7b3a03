import { ACCOUNT_KINDS, otherKind } from '@platform/shared/testing/auth-client';
import { setBlocked } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { otherThan, useCodeService } from './code-service.ts';

const malformedCodes: [string, unknown][] = [
  ['five digits', '12345'],
  ['seven digits', '1234567'],
  ['a letter among them', '12345a'],
  ['a space among them', '12 456'],
  ['a line break behind them', '123456\n'],
  ['digits of another script', '١٢٣٤٥٦'],
  ['a number of five digits', 12345],
  ['a number below zero', -12345],
  ['a fraction', 12345.6],
  ['nothing', ''],
  ['null', null],
  ['true', true],
  ['a list', ['123456']],
  ['an object', { toString: '123456' }],
];

describe('E-mail verification', () => {
  const service = useCodeService();

  for (const kind of ACCOUNT_KINDS)
    describe(`of ${kind.plural}`, () => {
      const client = () => service().client(kind);
      const signedIn = async () => {
        const account = await client().createAccount();
        return { account, device: await client().openDevice(account) };
      };
      const withCode = async () => {
        const { account, device } = await signedIn();
        expect((await client().sendVerificationCode(device)).status).to.equal(200);
        return { account, device, code: await service().codeFor(account.email) };
      };

      it('When an account is new, then its e-mail is not verified', async () => {
        const { device } = await signedIn();
        const { status, body } = await client().checkVerified(device);
        expect({ status, body }).to.deep.equal({ status: 200, body: { verified: false } });
      });

      it('When a code is asked for, then one mail with six digits is queued, for fifteen minutes', async () => {
        const { account, device } = await signedIn();
        const { status, body } = await client().sendVerificationCode(device);
        expect({ status, body }).to.deep.equal({ status: 200, body: { expiresIn: 900, resendIn: 120 } });

        const [mail, ...others] = (await service().queuedMails()).filter(
          (queued) => 'to' in queued && queued.to === account.email,
        );
        expect(others).to.deep.equal([]);
        if (mail?.template !== 'verification-code') throw new Error('No verification mail was queued');
        expect(Date.parse(mail.expiresAt) - Date.now()).to.be.within(890_000, 900_000);
        expect(await service().codeFor(account.email)).to.match(/^\d{6}$/);
      });

      it('When the right code is sent, then the e-mail is verified, as every answer tells', async () => {
        const { device, code } = await withCode();
        const { status, body } = await client().verifyEmail(device, { code });
        expect({ status, body }).to.deep.equal({ status: 200, body: { verified: true } });
        expect((await client().checkVerified(device)).body).to.deep.equal({ verified: true });
        expect((await client().me(device)).body.user.isEmailVerified).to.equal(true);
      });

      it('When a second code is asked for at once, then it is refused, and the first one is still good', async () => {
        const { account, device, code } = await withCode();
        const answer = await client().sendVerificationCode(device);
        expectError(answer, 429, 'RESEND_LOCKED');
        expect(Number(answer.headers['retry-after'])).to.be.within(115, 120);
        const mails = (await service().queuedMails()).filter(
          (mail) => 'to' in mail && mail.to === account.email,
        );
        expect(mails.length).to.equal(1);
        expect((await client().verifyEmail(device, { code })).status).to.equal(200);
      });

      it('When refused requests go on, then the lock ends after two minutes all the same', async () => {
        const { device } = await withCode();
        await service().redis.passTime(110);
        for (let round = 0; round < 3; round += 1) {
          const answer = await client().sendVerificationCode(device);
          expectError(answer, 429, 'RESEND_LOCKED');
          expect(Number(answer.headers['retry-after'])).to.be.within(1, 10);
        }
        await service().redis.passTime(10);
        expect((await client().sendVerificationCode(device)).status).to.equal(200);
      });

      it('When many ask at once, then one code is sent', async () => {
        const { account, device } = await signedIn();
        const answers = await Promise.all(
          Array.from({ length: 10 }, () => client().sendVerificationCode(device)),
        );
        expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(9).fill(429)]);
        expect(
          (await client().verifyEmail(device, { code: await service().codeFor(account.email) })).status,
        ).to.equal(200);
      });

      it('When a new code is sent, then it replaces the one before', async () => {
        const { account, device, code: before } = await withCode();
        await service().redis.passTime(120);
        expect((await client().sendVerificationCode(device)).status).to.equal(200);
        const after = await service().codeFor(account.email);
        if (after !== before)
          expectError(await client().verifyEmail(device, { code: before }), 400, 'CODE_INVALID');
        expect((await client().verifyEmail(device, { code: after })).status).to.equal(200);
      });

      it('When a wrong code is sent, then it is refused, and the e-mail stays unverified', async () => {
        const { device, code } = await withCode();
        expectError(await client().verifyEmail(device, { code: otherThan(code) }), 400, 'CODE_INVALID');
        expect((await client().checkVerified(device)).body).to.deep.equal({ verified: false });
      });

      it('When no code was ever sent, then any is refused', async () => {
        const { device } = await signedIn();
        expectError(await client().verifyEmail(device, { code: '000000' }), 400, 'CODE_INVALID');
      });

      it('When the code comes within fifteen minutes, then it is right', async () => {
        const { device, code } = await withCode();
        await service().redis.passTime(890);
        expect((await client().verifyEmail(device, { code })).status).to.equal(200);
      });

      it('When the code comes later, then it is refused, whatever was tried meanwhile', async () => {
        const { device, code } = await withCode();
        await service().redis.passTime(890);
        expectError(await client().verifyEmail(device, { code: otherThan(code) }), 400, 'CODE_INVALID');
        await service().redis.passTime(10);
        expectError(await client().verifyEmail(device, { code }), 400, 'CODE_INVALID');
      });

      it('When the e-mail is verified, then there is nothing to send and nothing to check, lock or not', async () => {
        const { device, code } = await withCode();
        expect((await client().verifyEmail(device, { code })).status).to.equal(200);
        for (const seconds of [0, 120]) {
          await service().redis.passTime(seconds);
          expectError(await client().sendVerificationCode(device), 409, 'EMAIL_ALREADY_VERIFIED');
          expectError(await client().verifyEmail(device, { code }), 409, 'EMAIL_ALREADY_VERIFIED');
        }
      });

      it('When the code is sent as a number, then it is accepted', async () => {
        const { account, device } = await signedIn();
        let code = '0';
        // A number has no leading zeros: of ten codes, one has.
        while (code.startsWith('0')) {
          await service().redis.passTime(120);
          expect((await client().sendVerificationCode(device)).status).to.equal(200);
          code = await service().codeFor(account.email);
        }
        expect((await client().verifyEmail(device, { code: Number(code) })).status).to.equal(200);
      });

      it('When other fields come with the code, then they are dropped', async () => {
        const { device, code } = await withCode();
        const { status, body } = await client().verifyEmail(device, { code, verified: false, userId: 'x' });
        expect({ status, body }).to.deep.equal({ status: 200, body: { verified: true } });
      });

      for (const [name, code] of malformedCodes)
        it(`When the code is ${name}, then the field is named`, async () => {
          const { device } = await signedIn();
          expectError(await client().verifyEmail(device, { code }), 400, 'VALIDATION_FAILED', '/body/code');
        });

      it('When malformed codes are sent, then none counts as a try', async () => {
        const { device, code: right } = await withCode();
        for (const code of ['12345', '1234567', 'abcdef', null, '', 7])
          expectError(await client().verifyEmail(device, { code }), 400, 'VALIDATION_FAILED', '/body/code');
        expect((await client().verifyEmail(device, { code: right })).status).to.equal(200);
      });

      it('When there is no code or no body, then the request is refused', async () => {
        const { device } = await signedIn();
        expectError(await client().verifyEmail(device, {}), 400, 'VALIDATION_FAILED', '/body/code');
        expectError(await client().verifyEmail(device, undefined), 400, 'VALIDATION_FAILED');
        expectError(
          await client().verifyEmail(device, '{', { 'Content-Type': 'application/json' }),
          400,
          'VALIDATION_FAILED',
        );
        expectError(
          await client().verifyEmail(device, 'code=123456', {
            'Content-Type': 'application/x-www-form-urlencoded',
          }),
          415,
          'UNSUPPORTED_MEDIA_TYPE',
        );
      });

      it('When the code is another user’s, then it is refused, and stays good for its owner', async () => {
        const [one, other] = [await withCode(), await withCode()];
        if (one.code !== other.code)
          expectError(await client().verifyEmail(other.device, { code: one.code }), 400, 'CODE_INVALID');
        expect((await client().verifyEmail(one.device, { code: one.code })).status).to.equal(200);
        expect((await client().checkVerified(other.device)).body).to.deep.equal({ verified: false });
      });

      it('When the caller’s access token is not one of this kind, then each route answers 401', async () => {
        const { device } = await signedIn();
        const stranger = service().client(otherKind(kind));
        const foreign = await stranger.openDevice(await stranger.createAccount());
        const wrong = [{ accessToken: '' }, { accessToken: device.refreshToken }, foreign];
        for (const holder of wrong) {
          const answers = [
            await client().checkVerified(holder),
            await client().sendVerificationCode(holder),
            // The token is judged before the body.
            await client().verifyEmail(holder, { code: 'x' }),
          ];
          for (const answer of answers) {
            expectError(answer, 401, 'TOKEN_INVALID');
            expect(answer.headers['www-authenticate']).to.equal('Bearer');
          }
        }
      });

      it('When the caller is blocked, then each route answers 401', async () => {
        const { account, device, code } = await withCode();
        await setBlocked(service().databaseUrl, account.userId, true);
        expectError(await client().checkVerified(device), 401, 'USER_BLOCKED');
        expectError(await client().sendVerificationCode(device), 401, 'USER_BLOCKED');
        expectError(await client().verifyEmail(device, { code }), 401, 'USER_BLOCKED');
      });

      it('When the caller has signed out, then each route answers 401', async () => {
        const { device, code } = await withCode();
        expect((await client().signOut(device)).status).to.equal(204);
        expectError(await client().checkVerified(device), 401, 'TOKEN_INVALID');
        expectError(await client().sendVerificationCode(device), 401, 'TOKEN_INVALID');
        expectError(await client().verifyEmail(device, { code }), 401, 'TOKEN_INVALID');
      });
    });
});
