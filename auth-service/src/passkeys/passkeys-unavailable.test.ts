import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { CONFIRMATION, uniqueFingerprint } from '@platform/shared/testing/builders';
import { expectError, send } from '@platform/shared/testing/responses';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { createTestDatabase } from '@platform/shared/testing/test-database';
import { createTestRedis } from '@platform/shared/testing/test-redis';
import { expect } from 'chai';
import request from 'supertest';
import { type ComposedAuthService, composeAuthService, useAuthService } from '../../testing/auth-service.ts';

const PATHS = [
  ['POST', '/passkeys/options'],
  ['POST', '/passkeys'],
  ['PATCH', '/passkeys/00000000-0000-4000-8000-000000000000'],
  ['DELETE', '/passkeys/00000000-0000-4000-8000-000000000000'],
  ['POST', '/second-factor/options'],
  ['POST', '/sign-in/second-factor/options'],
  ['POST', '/sign-in/passkey/options'],
  ['POST', '/sign-in/passkey'],
] as const;

describe('passkeys without the configuration of WebAuthn', () => {
  const service = useAuthService({ NODE_ENV: 'production', BCRYPT_COST: '10' });

  const client = () => service().as('customer');

  it('return 404 for their routes, before any other error', async () => {
    for (const [method, path] of PATHS)
      expectError(await send(service().url, method, CUSTOMER.path + path), 404, 'ROUTE_NOT_FOUND');
  });

  it('do not change authenticator apps, and are not offered as a factor', async () => {
    const { account, device } = await client().openVerifiedAccount();
    await client().enableTotp(device);
    await service().records.query(
      `insert into passkeys (user_id, credential_id, public_key, counter, name) values ($1::uuid, $1::text, '\\x00', 0, 'Key')`,
      [account.userId],
    );
    const response = await client().signIn({ fingerprint: uniqueFingerprint(), body: account });
    expectError(response, 401, 'SECOND_FACTOR_REQUIRED');
    expect(response.body.factors).to.deep.equal(['totp', 'recovery-code']);
  });

  it('do not appear in the document', async () => {
    const { body } = await request(service().url).get('/api/openapi.json');
    const paths = Object.keys(body.paths);
    expect(
      paths.filter((path) => path.includes('passkey') || path.endsWith('second-factor/options')),
    ).to.deep.equal([]);
    expect(paths).to.include('/customers/auth/sign-in/second-factor');
  });
});

describe('passkeys without Redis', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let redis: Awaited<ReturnType<typeof createTestRedis>>;
  let complete: ComposedAuthService;
  let withoutRedis: ComposedAuthService;

  before('start two services on one database', async () => {
    database = await createTestDatabase();
    redis = await createTestRedis();
    complete = await composeAuthService(database.url, { REDIS_URL: redis.url });
    withoutRedis = await composeAuthService(database.url, { REDIS_URL: 'redis://127.0.0.1:1' });
  });
  after('stop both', async () => {
    await complete.stop();
    await withoutRedis.stop();
    await redis.drop();
    await database.drop();
  });

  it('return 503, except for operations that need no challenge', async () => {
    const client = () => complete.as('customer');
    const broken = () => withoutRedis.as('customer');
    const { account, device, authenticator, passkeyId } = await client().openAccountWithPasskeyStep();
    const { challenge, fingerprint, options } = await client().startPasskeyStep(account);
    const assertion = authenticator.get(options);
    const { body } = await client().passkeyOptions({ ...device, body: CONFIRMATION });
    const attestation = createSoftwareAuthenticator().create(body);
    for (const response of [
      await broken().passkeyCreate({ ...device, body: { response: attestation, name: 'My phone' } }),
      await broken().secondFactorOptions(device),
      await broken().signInSecondFactorOptions({ fingerprint, body: { challenge } }),
      await broken().signInSecondFactor({ fingerprint, body: { challenge, passkey: assertion } }),
      await broken().signInPasskeyOptions({ fingerprint }),
      await broken().signInPasskey({ fingerprint, body: { response: assertion } }),
    ])
      expectError(response, 503, 'SERVICE_UNAVAILABLE');
    expect(
      (await broken().passkeyRename({ ...device, passkeyId, body: { name: 'Renamed' } })).status,
    ).to.equal(200);
    expect((await broken().listPasskeys(device)).map(({ name }) => name)).to.deep.equal(['Renamed']);
  });
});
