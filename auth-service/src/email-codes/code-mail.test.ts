import { CONFIRMATION, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { readChallenge } from '@platform/shared/testing/factor-flows';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

describe('mail with a code', () => {
  const service = useAuthService({ NEW_DEVICE_CODE: 'on' });
  const client = () => service().as('customer');
  const headers = { 'User-Agent': ` Browser ${'x'.repeat(300)}` };

  it("names the browser that has requested it, and the time zone of the account's owner", async () => {
    const { account, device } = await client().createAccountAndDevice();
    const { email, password, userId } = account;
    const newEmail = uniqueEmail();
    const { records, mails } = service();
    await records.query("update users set time_zone = 'Europe/Berlin' where id = $1", [userId]);
    await client().verificationEmailCode({ ...device, headers });
    await client().emailChange({ ...device, headers, body: { newEmail, ...CONFIRMATION } });
    await client().resetPasswordEmailCodeSend({ headers, body: { email } });
    await client().signInEmailCodeSend({ headers, body: { email } });
    await records.verifyEmail(userId);
    const fingerprint = uniqueFingerprint();
    const challenge = readChallenge(await client().signIn({ fingerprint, body: { email, password } }));
    await client().signInSecondFactorEmailCode({ fingerprint, headers, body: { challenge } });

    const sent = [...(await mails.queuedFor(email)), ...(await mails.queuedFor(newEmail))];
    expect(sent.map(({ template }) => template).sort()).to.deep.equal([
      ...['email-change-code', 'new-device-code', 'reset-password-code', 'sign-in-code', 'verification-code'],
    ]);
    for (const mail of sent)
      expect(mail, mail.template).to.include({
        userAgent: `Browser ${'x'.repeat(248)}`,
        timeZone: 'Europe/Berlin',
      });
  });
});
