import { WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

describe('blocked user', () => {
  const service = useAuthService();
  const client = () => service().as('customer');
  const block = (userId: string) => service().records.block(userId);
  const unblock = (userId: string) => service().records.block(userId, false);
  const blocked = async () => {
    const { account, device } = await client().createAccountAndDevice();
    await block(account.userId);
    return { account, device };
  };

  it('returns 401 for the access token at once, on every route', async () => {
    const { device } = await blocked();
    for (const call of [client().me, client().signOut, client().universalMe]) {
      const response = await call(device);
      expectError(response, 401, 'USER_BLOCKED');
      expect(response.headers['www-authenticate']).to.equal('Bearer');
    }
  });

  it('returns 401 for the refresh token, which stays valid and in its cookie', async () => {
    const { device } = await blocked();
    const response = await client().refreshToken(device);
    expectError(response, 401, 'USER_BLOCKED');
    expect(response.headers).not.to.have.property('set-cookie');
  });

  it('returns USER_BLOCKED at sign-in only for the correct password', async () => {
    const { account } = await blocked();
    const { email, password } = account;
    const response = await client().signIn({ fingerprint: 'device', body: { email, password } });
    expectError(response, 401, 'USER_BLOCKED');
    expect(response.headers).not.to.have.property('set-cookie');
    await client().expectNoSignIn({ email, password: WRONG_PASSWORD });
  });

  it('accepts all tokens again after an unblock', async () => {
    const account = await client().createAccount();
    const [device, other] = [await client().openDevice(account), await client().openDevice(account)];
    await block(account.userId);
    for (const one of [device, other]) expectError(await client().me(one), 401, 'USER_BLOCKED');
    await unblock(account.userId);
    for (const one of [device, other]) {
      await client().expectSignedIn(one);
    }
  });

  it('keeps the session after a rejected sign-in from the same device', async () => {
    const { account, device } = await blocked();
    await client().signIn({
      fingerprint: device.fingerprint,
      body: { email: account.email, password: account.password },
    });
    await unblock(account.userId);
    expect((await client().me(device)).status).to.equal(200);
  });

  it('does not revoke the session for an old refresh token', async () => {
    const account = await client().createAccount();
    const first = await client().openDevice(account);
    const third = await client().refreshed(await client().refreshed(first));
    await block(account.userId);
    expectError(await client().refreshToken(first), 401, 'USER_BLOCKED');
    await unblock(account.userId);
    await client().refreshed(third);
  });
});
