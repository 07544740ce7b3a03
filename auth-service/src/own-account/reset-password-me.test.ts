import { CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { PASSWORD, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { lockUser } from '@platform/shared/testing/hold-lock';
import { parseSetCookies } from '@platform/shared/testing/http-client';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { expectPasswordChanged } from '../../testing/mails.ts';
import { expectCookieCleared } from '../../testing/refresh-cookie.ts';
import { expectPasswordMissing, expectWrongPassword } from '../../testing/second-factor.ts';

const NEW_PASSWORD = 'A better horse 2';
const CHANGE = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };

describe('password change', () => {
  const service = useAuthService();
  const client = () => service().as('customer');
  const expectUnchanged = async (account: { email: string; password: string }) => {
    await client().openDevice(account);
    expect(await service().mails.outboxFor(account.email)).to.deep.equal([]);
  };

  it('accepts the new password afterwards and rejects the old one', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const response = await client().resetPasswordMe({ ...device, body: CHANGE });
    expect({ status: response.status, text: response.text }).to.deep.equal({ status: 204, text: '' });
    expect(parseSetCookies(response)).to.deep.equal([]);
    await client().expectNoSignIn(account);
    await client().openDevice({ email: account.email, password: NEW_PASSWORD });
  });

  it('keeps this device signed in and signs out all others', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const others = [await client().openDevice(account), await client().openDevice(account)];
    const otherDevice = await client().createDevice();
    expect((await client().resetPasswordMe({ ...device, body: CHANGE })).status).to.equal(204);
    await client().expectSignedIn(device);
    for (const other of others) await client().expectSignedOut(other);
    await client().expectSignedIn(otherDevice);
  });

  it('stores one notification without secrets in the outbox', async () => {
    const { account, device } = await client().createAccountAndDevice();
    expect((await client().resetPasswordMe({ ...device, body: CHANGE })).status).to.equal(204);
    const mails = await service().mails.outboxFor(account.email);
    expectPasswordChanged(mails, { to: account.email, isEmailVerified: false });
  });

  it('changes nothing when the current password is wrong or missing', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const other = await client().openDevice(account);
    const change = (currentPassword?: string) =>
      client().resetPasswordMe({ ...device, body: { ...CHANGE, currentPassword } });
    expectWrongPassword(await change(WRONG_PASSWORD));
    for (const missing of [undefined, '']) expectPasswordMissing(await change(missing));
    await client().expectSignedIn(other);
    await client().expectSignedIn(device);
    await expectUnchanged(account);
  });

  it('succeeds for one of two devices concurrently', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const other = await client().openDevice(account);
    const lock = await lockUser(service().databaseUrl, account.userId);
    // Both requests have compared the password before the first one continues.
    const both = Promise.all(
      [device, other].map((holder) => client().resetPasswordMe({ ...holder, body: CHANGE })),
    );
    await lock.releaseWhenWaiting(2);
    const responses = await both;
    expect(responses.map(({ status }) => status).sort()).to.deep.equal([204, 400]);
    const rejected = responses.find(({ status }) => status === 400);
    if (rejected) expectWrongPassword(rejected);
    expect((await service().mails.outboxFor(account.email)).length).to.equal(1);
  });

  it('returns 401 for other tokens, whatever the body', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const otherClient = service().as('employee');
    const foreign = await otherClient.createDevice();
    const wrong = [
      { Cookie: undefined },
      { Cookie: `${EMPLOYEE.refreshCookie}=${device.refreshToken}` },
      { Cookie: `${CUSTOMER.refreshCookie}=${foreign.refreshToken}` },
      { Cookie: `${CUSTOMER.refreshCookie}=${device.accessToken}` },
      { Cookie: undefined, Authorization: `Bearer ${device.accessToken}` },
      { Cookie: undefined, Authorization: `Bearer ${foreign.refreshToken}` },
    ];
    for (const headers of wrong)
      for (const body of [CHANGE, {}]) {
        const response = await client().resetPasswordMe({ ...device, body, headers });
        expectError(response, 401, 'TOKEN_INVALID');
        expect(response.headers['www-authenticate']).to.equal('Bearer');
        expect(parseSetCookies(response)).to.deep.equal([]);
      }
    await expectUnchanged(account);
  });

  it('returns REFRESH_TOKEN_SUPERSEDED for a token that was just exchanged', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const now = await client().refreshed(device);
    const response = await client().resetPasswordMe({ ...device, body: CHANGE });
    expectError(response, 401, 'REFRESH_TOKEN_SUPERSEDED');
    expect(parseSetCookies(response)).to.deep.equal([]);
    await expectUnchanged(account);
    expect((await client().resetPasswordMe({ ...now, body: CHANGE })).status).to.equal(204);
  });

  it('returns REFRESH_TOKEN_REUSED for an older token, ends the session and clears the cookie', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const now = await client().refreshed(await client().refreshed(device));
    const response = await client().resetPasswordMe({ ...device, body: CHANGE });
    expectError(response, 401, 'REFRESH_TOKEN_REUSED');
    expectCookieCleared(response, CUSTOMER.refreshCookie);
    await client().expectSignedOut(now);
    await expectUnchanged(account);
  });
});
