import { startTestValkey, type TestValkey } from '@platform/dev/testing/test-valkey';
import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { setReadOnly } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { composeAuthService, type RunningAuthService, useAuthService } from '../../testing/auth-service.ts';
import { createAccountWithTotp, startSignIn } from '../../testing/second-factor-account.ts';

const expectUnavailable = (response: HttpResponse): void => {
  expectError(response, 503, 'SERVICE_UNAVAILABLE');
  expect(Number(response.headers['retry-after'])).to.be.at.least(1);
};

describe('sign-in with a second factor without Redis', () => {
  const service = useAuthService();
  /** This instance uses the database of the service. */
  let withoutRedis: RunningAuthService;
  let withFrozenRedis: RunningAuthService;
  let valkey: TestValkey;
  before('start services without Redis', async () => {
    const { databaseUrl } = service();
    withoutRedis = await composeAuthService(databaseUrl, { REDIS_URL: 'redis://127.0.0.1:1' });
    valkey = await startTestValkey();
    withFrozenRedis = await composeAuthService(databaseUrl, { REDIS_URL: valkey.url });
    valkey.freeze();
  });
  after('stop them', async () => {
    await withoutRedis?.stop();
    await withFrozenRedis?.stop();
    await valkey?.stop();
  });

  for (const [name, failing] of [
    ['gone', () => withoutRedis],
    ['frozen', () => withFrozenRedis],
  ] as const)
    it(`returns 503 to users with a factor, and to no others, while Redis is ${name}`, async () => {
      const { account, device, recoveryCodes } = await createAccountWithTotp(service(), CUSTOMER);
      const without = await service().client(CUSTOMER).createAccount();
      const { challenge, fingerprint } = await startSignIn(service(), CUSTOMER, account);
      const body = { challenge, recoveryCode: recoveryCodes[0] };
      const client = failing().client(CUSTOMER);
      expectUnavailable(await client.signIn(account, uniqueFingerprint()));
      expectUnavailable(await client.signInSecondFactor(body, fingerprint));
      await client.expectSignedIn(await client.openDevice(without));
      await client.expectSignedIn(device);
      const served = service().client(CUSTOMER);
      served.toDevice(await served.signInSecondFactor(body, fingerprint));
    });
});

describe('second factor while Postgres is read-only', () => {
  const service = useAuthService();

  it('returns 503, and uses up neither challenge nor proof', async () => {
    const { account, device, recoveryCodes } = await createAccountWithTotp(service(), CUSTOMER);
    const { challenge, fingerprint } = await startSignIn(service(), CUSTOMER, account);
    const [recoveryCode] = recoveryCodes;
    const client = service().client(CUSTOMER);
    await setReadOnly(service().databaseUrl, true);
    expectUnavailable(await client.signInSecondFactor({ challenge, recoveryCode }, fingerprint));
    const confirmation = { currentPassword: PASSWORD, recoveryCode };
    expectUnavailable(await client.removeTotp(device, confirmation));
    expectUnavailable(await client.signIn(account, uniqueFingerprint()));
    expect((await client.secondFactor(device)).body.recoveryCodesLeft).to.equal(10);
    await setReadOnly(service().databaseUrl, false);
    const signedIn = await client.signInSecondFactor({ challenge, recoveryCode }, fingerprint);
    await client.expectSignedIn(client.toDevice(signedIn));
  });
});
