import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { parseSetCookies } from '@platform/shared/testing/http-client';
import { countSessions } from '@platform/shared/testing/query-database';
import { expectError, observable } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { getOtherCode } from '../../testing/mailed-codes.ts';
import { expectPasswordChanged } from '../../testing/mails.ts';

const NEW_PASSWORD = 'A better horse 2';

const malformed: [string, object, string][] = [
  ['no e-mail', { email: undefined }, '/body/email'],
  ['an invalid e-mail', { email: 'somebody' }, '/body/email'],
  ['an e-mail with a line break', { email: 'a@example.com\r\nBcc: b@example.com' }, '/body/email'],
  ['no code', { code: undefined }, '/body/code'],
  ['a code of five digits', { code: '12345' }, '/body/code'],
  ['no new password', { newPassword: undefined }, '/body/newPassword'],
  ['a new password of 7 characters', { newPassword: '1234567' }, '/body/newPassword'],
  ['a new password of 74 bytes', { newPassword: 'ü'.repeat(37) }, '/body/newPassword'],
];

describe('password reset by e-mail code', () => {
  const service = useAuthService();
  const client = () => service().as('customer');
  const mailsTo = async (email: string) => await service().mails.queuedFor(email);
  const withCode = async () => {
    const account = await client().createAccount();
    expect((await client().resetPasswordEmailCodeSend({ body: { email: account.email } })).status).to.equal(
      200,
    );
    return { ...account, code: await service().mails.codeFor(account.email) };
  };
  const reset = (email: string, code: string, newPassword = NEW_PASSWORD) =>
    client().resetPasswordEmailCode({ body: { email, code, newPassword } });

  it('queues one mail with six digits that expire after fifteen minutes', async () => {
    const { email } = await client().createAccount();
    const { status, body } = await client().resetPasswordEmailCodeSend({ body: { email } });
    expect({ status, body }).to.deep.equal({ status: 200, body: { expiresIn: 900, resendIn: 120 } });
    const [mail, ...others] = await mailsTo(email);
    expect(others).to.deep.equal([]);
    if (mail?.template !== 'reset-password-code') throw new Error('No reset mail was queued');
    expect(Date.parse(mail.expiresAt) - Date.now()).to.be.within(840_000, 900_000);
    expect(await service().mails.codeFor(email)).to.match(/^\d{6}$/);
  });

  it('returns the same responses for an unknown e-mail, without a mail', async () => {
    const known = (await client().createAccount()).email;
    const unknown = uniqueEmail();
    const sendTwiceAndReset = async (email: string) => [
      observable(await client().resetPasswordEmailCodeSend({ body: { email } })),
      observable(await client().resetPasswordEmailCodeSend({ body: { email } })),
      observable(await reset(email, '000000')),
    ];
    const responses = await sendTwiceAndReset(known);
    expect(responses.map(({ status }) => status)).to.deep.equal([200, 429, 400]);
    expect(await sendTwiceAndReset(unknown)).to.deep.equal(responses);
    expect(await mailsTo(unknown)).to.deep.equal([]);
  });

  it('locks an unknown e-mail too, in any letter case', async () => {
    const email = uniqueEmail();
    expect(
      (await client().resetPasswordEmailCodeSend({ body: { email: email.toUpperCase() } })).status,
    ).to.equal(200);
    const response = await client().resetPasswordEmailCodeSend({ body: { email } });
    expectError(response, 429, 'RESEND_LOCKED');
    expect(Number(response.headers['retry-after'])).to.be.within(115, 120);
    await service().redis.passTime(120);
    expect((await client().resetPasswordEmailCodeSend({ body: { email } })).status).to.equal(200);
  });

  it('treats the e-mail of an account of another kind as unknown', async () => {
    const { email, password } = await service().as('employee').createAccount();
    expect((await client().resetPasswordEmailCodeSend({ body: { email } })).status).to.equal(200);
    expect(await mailsTo(email)).to.deep.equal([]);
    expectError(await reset(email, '000000'), 400, 'CODE_INVALID');
    await service().as('employee').openDevice({ email, password });
  });

  it('opens no session; afterwards the new password is accepted and the old one rejected', async () => {
    const { email, code, userId } = await withCode();
    const response = await reset(email, code);
    expect(response.status, response.text).to.equal(204);
    expect(response.text).to.equal('');
    expect(parseSetCookies(response)).to.deep.equal([]);
    expect(await countSessions(service().databaseUrl, userId)).to.deep.equal({
      sessions: 0,
      tokenRecords: 0,
    });
    await client().expectNoSignIn({ email, password: PASSWORD });
    await client().openDevice({ email, password: NEW_PASSWORD });
  });

  it('signs out all devices of the user, and forgets their sessions', async () => {
    const account = await withCode();
    const devices = [await client().openDevice(account), await client().openDevice(account)];
    const other = await client().createDevice();
    expect((await reset(account.email, account.code)).status).to.equal(204);
    await client().expectSignedIn(other);
    for (const device of devices) await client().expectSignedOut(device);
    for (const device of devices) {
      const again = await client().openDevice(
        { email: account.email, password: NEW_PASSWORD },
        device.fingerprint,
      );
      expect(again.sessionId).not.to.equal(device.sessionId);
    }
  });

  it('stores one notification without secrets in the outbox', async () => {
    const { email, code } = await withCode();
    expect(await service().mails.outboxFor(email)).to.deep.equal([]);
    expect((await reset(email, code)).status).to.equal(204);
    // The code has proved the address.
    expectPasswordChanged(await service().mails.outboxFor(email), { to: email, isEmailVerified: true });
  });

  it('resets the password of a verified e-mail too', async () => {
    const { account, device } = await client().createAccountAndDevice();
    expect((await client().verificationEmailCode(device)).status).to.equal(200);
    const verification = { code: await service().mails.codeFor(account.email) };
    expect((await client().verificationEmailCodeCheck({ ...device, body: verification })).status).to.equal(
      200,
    );
    expect((await client().resetPasswordEmailCodeSend({ body: { email: account.email } })).status).to.equal(
      200,
    );
    expect((await reset(account.email, await service().mails.codeFor(account.email))).status).to.equal(204);
  });

  it('accepts the e-mail in any letter case', async () => {
    const account = await client().createAccount();
    expect(
      (await client().resetPasswordEmailCodeSend({ body: { email: account.email.toUpperCase() } })).status,
    ).to.equal(200);
    const code = await service().mails.codeFor(account.email);
    expect((await reset(account.email.toUpperCase(), code)).status).to.equal(204);
    await client().openDevice({ email: account.email, password: NEW_PASSWORD });
  });

  it('returns the same error for a wrong, used, replaced, expired and never sent code', async () => {
    const wrong = await withCode();
    const used = await withCode();
    const replaced = await withCode();
    const expired = await withCode();
    expect((await reset(used.email, used.code)).status).to.equal(204);
    await service().redis.passTime(120);
    expect((await client().resetPasswordEmailCodeSend({ body: { email: replaced.email } })).status).to.equal(
      200,
    );
    const responses = [
      await reset(wrong.email, getOtherCode(wrong.code)),
      await reset(used.email, used.code),
      await reset(replaced.email, replaced.code),
      await reset((await client().createAccount()).email, '123456'),
    ];
    await service().redis.passTime(780);
    responses.push(await reset(expired.email, expired.code));
    for (const response of responses) expectError(response, 400, 'CODE_INVALID');
    expect(new Set(responses.map((response) => JSON.stringify(observable(response)))).size).to.equal(1);
    await client().openDevice(wrong);
  });

  it('consumes neither the code nor an attempt when the new password is rejected', async () => {
    const { email, code } = await withCode();
    for (let round = 0; round < 6; round += 1)
      expectError(await reset(email, code, 'short'), 400, 'VALIDATION_FAILED', '/body/newPassword');
    expect((await reset(email, code)).status).to.equal(204);
  });

  it('signs out the devices, but not when the new password is the current one', async () => {
    const account = await withCode();
    const device = await client().openDevice(account);
    const same = await reset(account.email, account.code, PASSWORD);
    expectError(same, 400, 'VALIDATION_FAILED', '/body/newPassword');
    await client().expectSignedIn(device);
    expect((await reset(account.email, account.code)).status).to.equal(204);
    await client().expectSignedOut(device);
  });

  for (const [name, change, path] of malformed)
    it(`returns 400 with the field for ${name} in a reset`, async () => {
      const body = { email: uniqueEmail(), code: '123456', newPassword: NEW_PASSWORD, ...change };
      expectError(await client().resetPasswordEmailCode({ body }), 400, 'VALIDATION_FAILED', path);
    });

  for (const [name, change, path] of malformed.filter(([, , where]) => where === '/body/email'))
    it(`returns 400 with the field for ${name} in a code request`, async () => {
      const body = { email: uniqueEmail(), ...change };
      expectError(await client().resetPasswordEmailCodeSend({ body }), 400, 'VALIDATION_FAILED', path);
    });
});
