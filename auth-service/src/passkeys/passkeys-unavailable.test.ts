import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { PASSKEY_ORIGIN } from '@platform/shared/testing/passkey-client';
import { expectError, send } from '@platform/shared/testing/responses';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { createTestDatabase } from '@platform/shared/testing/test-database';
import { createTestRedis } from '@platform/shared/testing/test-redis';
import { expect } from 'chai';
import request from 'supertest';
import { composeAuthService, type RunningAuthService, useAuthService } from '../../testing/auth-service.ts';
import { createPasskeyUsers } from '../../testing/passkey-service.ts';

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

  const { client, openAccount } = createPasskeyUsers(service, CUSTOMER);

  it('return 404 for their routes, before any other error', async () => {
    for (const [method, path] of PATHS)
      expectError(await send(service().url, method, CUSTOMER.path + path), 404, 'ROUTE_NOT_FOUND');
  });

  it('do not change authenticator apps, and are not offered as a factor', async () => {
    const { account, device } = await openAccount();
    await client().enableTotp(device);
    await service().records.query(
      `insert into passkeys (user_id, credential_id, public_key, counter, name) values ($1::uuid, $1::text, '\\x00', 0, 'Key')`,
      [account.userId],
    );
    const response = await client().signIn(account, uniqueFingerprint());
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
  let complete: RunningAuthService;
  let withoutRedis: RunningAuthService;

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
    const { addOwner, startSecondStep, passkeys } = createPasskeyUsers(() => complete, CUSTOMER);
    const broken = createPasskeyUsers(() => withoutRedis, CUSTOMER);
    const { account, device, authenticator, passkeyId } = await addOwner();
    const { challenge, fingerprint, options } = await startSecondStep(account);
    const assertion = authenticator.get(options);
    const { body } = await passkeys().creationOptions(device);
    const attestation = createSoftwareAuthenticator(PASSKEY_ORIGIN).create(body);
    for (const response of [
      await broken.passkeys().create(device, attestation),
      await broken.passkeys().factorOptions(device),
      await broken.passkeys().secondStepOptions(challenge, fingerprint),
      await broken.passkeys().completeSignIn(challenge, assertion, fingerprint),
      await broken.passkeys().signInOptions(fingerprint),
      await broken.passkeys().signIn(assertion, fingerprint),
    ])
      expectError(response, 503, 'SERVICE_UNAVAILABLE');
    expect((await broken.passkeys().rename(device, passkeyId, 'Renamed')).status).to.equal(200);
    expect((await broken.list(device)).map(({ name }) => name)).to.deep.equal(['Renamed']);
  });
});
