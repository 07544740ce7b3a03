import { startTestValkey, type TestValkey } from '@platform/dev/testing/test-valkey';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { setReadOnly } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { type ComposedAuthService, composeAuthService, useAuthService } from '../../testing/auth-service.ts';

const expectUnavailable = (response: HttpResponse): void => {
  expectError(response, 503, 'SERVICE_UNAVAILABLE');
  expect(Number(response.headers['retry-after'])).to.be.at.least(1);
};

describe('sign-in with a second factor without Redis', () => {
  const service = useAuthService();
  /** This instance uses the database of the service. */
  let withoutRedis: ComposedAuthService;
  let withFrozenRedis: ComposedAuthService;
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
      const { account, device, recoveryCodes } = await service().as('customer').openAccountWithTotp();
      const without = await service().as('customer').createAccount();
      const { challenge, fingerprint } = await service().as('customer').startSignIn(account);
      const body = { challenge, recoveryCode: recoveryCodes[0] };
      const client = failing().as('customer');
      expectUnavailable(await client.signIn({ fingerprint: uniqueFingerprint(), body: account }));
      expectUnavailable(await client.signInSecondFactor({ fingerprint, body }));
      await client.expectSignedIn(await client.openDevice(without));
      await client.expectSignedIn(device);
      const served = service().as('customer');
      served.toDevice(await served.signInSecondFactor({ fingerprint, body }));
    });
});

describe('second factor while Postgres is read-only', () => {
  const service = useAuthService();

  it('returns 503, and uses up neither challenge nor proof', async () => {
    const { account, device, recoveryCodes } = await service().as('customer').openAccountWithTotp();
    const { challenge, fingerprint } = await service().as('customer').startSignIn(account);
    const [recoveryCode] = recoveryCodes;
    const client = service().as('customer');
    await setReadOnly(service().databaseUrl, true);
    expectUnavailable(await client.signInSecondFactor({ fingerprint, body: { challenge, recoveryCode } }));
    const confirmation = { currentPassword: PASSWORD, recoveryCode };
    expectUnavailable(await client.totpRemove({ ...device, body: confirmation }));
    expectUnavailable(await client.signIn({ fingerprint: uniqueFingerprint(), body: account }));
    expect((await client.secondFactor(device)).body.recoveryCodesLeft).to.equal(10);
    await setReadOnly(service().databaseUrl, false);
    const signedIn = await client.signInSecondFactor({ fingerprint, body: { challenge, recoveryCode } });
    await client.expectSignedIn(client.toDevice(signedIn));
  });
});
