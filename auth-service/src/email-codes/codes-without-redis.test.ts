import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { startTestValkey, type TestValkey } from '@platform/dev/testing/test-valkey';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { waitFor } from '@platform/shared/testing/poll';
import { runRedisCommand } from '@platform/shared/testing/redis-server';
import { expectError, observable } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { type RunningAuthService, startAuthService, useAuthService } from '../../testing/auth-service.ts';
import { breakMailQueue } from '../../testing/mails.ts';

const NEW_PASSWORD = 'A better horse 2';

/** Requests that need Redis return 503; all others are not affected. */
const behavesWithoutRedis = (service: () => RunningAuthService) => {
  const expectUnavailable = async (request: () => Promise<HttpResponse>): Promise<HttpResponse> => {
    const response = await request();
    expectError(response, 503, 'SERVICE_UNAVAILABLE');
    expect(Number(response.headers['retry-after'])).to.be.at.least(1);
    return response;
  };

  it('leaves the service ready and degraded', async () => {
    expect(await service().readiness()).to.deep.equal({ ready: true, failing: [], degraded: ['redis'] });
  });

  const client = () => service().as('customer');

  it('returns 503 when a code is requested or submitted', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const { email } = account;
    await expectUnavailable(() => client().verificationEmailCode(device));
    await expectUnavailable(() =>
      client().verificationEmailCodeCheck({ ...device, body: { code: '123456' } }),
    );
    await expectUnavailable(() => client().resetPasswordEmailCodeSend({ body: { email } }));
    const reset = { email, code: '123456', newPassword: NEW_PASSWORD };
    await expectUnavailable(() => client().resetPasswordEmailCode({ body: reset }));
    await client().openDevice(account);
  });

  it('returns the same responses for an unknown e-mail', async () => {
    const getResponses = async (email: string) => [
      observable(await client().resetPasswordEmailCodeSend({ body: { email } })),
      observable(
        await client().resetPasswordEmailCode({ body: { email, code: '123456', newPassword: NEW_PASSWORD } }),
      ),
    ];
    const known = await getResponses((await client().createAccount()).email);
    expect(await getResponses(uniqueEmail())).to.deep.equal(known);
  });

  it('returns validation errors first', async () => {
    const device = await client().createDevice();
    expectError(
      await client().verificationEmailCodeCheck({ ...device, body: { code: 'x' } }),
      400,
      'VALIDATION_FAILED',
      '/body/code',
    );
    expectError(
      await client().resetPasswordEmailCodeSend({ body: {} }),
      400,
      'VALIDATION_FAILED',
      '/body/email',
    );
    expectError(await client().verificationEmailCode({ accessToken: 'x' }), 401, 'TOKEN_INVALID');
  });

  it('does not affect operations without a code', async () => {
    const { account, device } = await client().createAccountAndDevice();
    expect((await client().universalMe(device)).status).to.equal(200);
    expect((await client().verificationEmailCheck(device)).body).to.deep.equal({ verified: false });
    const refreshed = await client().expectSignedIn(device);
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    expect((await client().resetPasswordMe({ ...refreshed, body: change })).status).to.equal(204);
    // The notification is stored in the outbox in Postgres.
    expect((await service().mails.outboxFor(account.email)).length).to.equal(1);
    expect((await client().signOut(refreshed)).status).to.equal(204);
  });
};

describe('e-mail codes while Redis refuses connections', () => {
  behavesWithoutRedis(useAuthService({ REDIS_URL: 'redis://127.0.0.1:1' }));
});

describe('e-mail codes while Redis accepts connections but does not respond', () => {
  let server: Server;
  let service: RunningAuthService;
  before('start a server that never responds', async () => {
    server = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    service = await startAuthService({ REDIS_URL: `redis://127.0.0.1:${port}` });
  });
  after('stop it', async () => {
    await service?.stop();
    server?.close();
  });
  behavesWithoutRedis(() => service);
});

describe('e-mail codes after a Redis failure', () => {
  let valkey: TestValkey;
  let service: RunningAuthService;
  before('start a separate Valkey', async () => {
    valkey = await startTestValkey();
    service = await startAuthService({ REDIS_URL: valkey.url });
  });
  after('stop it', async () => {
    await service?.stop();
    await valkey?.stop();
  });
  const client = () => service.as('customer');
  const untilServed = (email: string) =>
    waitFor(
      'a code can be requested again',
      async () => (await client().resetPasswordEmailCodeSend({ body: { email } })).status === 200,
    );

  it('sends codes again without a restart, and without locks from failed requests', async () => {
    const { email } = await client().createAccount();
    const waiting = (await client().createAccount()).email;
    expect((await client().resetPasswordEmailCodeSend({ body: { email: waiting } })).status).to.equal(200);
    valkey.kill();
    expectError(
      await waitFor('Redis is missed', async () => {
        const response = await client().resetPasswordEmailCodeSend({ body: { email } });
        return response.status === 503 && response;
      }),
      503,
      'SERVICE_UNAVAILABLE',
    );
    await untilServed(email);
    // Redis lost the lock together with all other keys.
    expect((await client().resetPasswordEmailCodeSend({ body: { email: waiting } })).status).to.equal(200);
  });

  it('returns 503 while Redis is frozen', async () => {
    const { email } = await client().createAccount();
    await untilServed(uniqueEmail());
    valkey.freeze();
    for (let round = 0; round < 2; round += 1) {
      expectError(await client().resetPasswordEmailCodeSend({ body: { email } }), 503, 'SERVICE_UNAVAILABLE');
    }
    valkey.thaw();
    await untilServed(email);
  });
});

describe('e-mail codes while Redis rejects writes', () => {
  const faults = {
    'is read-only': [
      ['REPLICAOF', '127.0.0.1', '1'],
      ['REPLICAOF', 'NO', 'ONE'],
    ],
    'has no memory': [
      ['CONFIG', 'SET', 'maxmemory', '1'],
      ['CONFIG', 'SET', 'maxmemory', '0'],
    ],
  };
  let codes: TestValkey;
  let queue: TestValkey;
  let service: RunningAuthService;
  before('start two separate Valkeys', async () => {
    [codes, queue] = [await startTestValkey(), await startTestValkey()];
    service = await startAuthService({ REDIS_URL: codes.url, QUEUE_REDIS_URL: queue.url });
  });
  after('stop them', async () => {
    await service?.stop();
    await codes?.stop();
    await queue?.stop();
  });

  for (const [fault, [begin = [], end = []]] of Object.entries(faults))
    for (const engine of ['REDIS_URL', 'QUEUE_REDIS_URL'])
      it(`returns 503 and is degraded while the server of ${engine} ${fault}`, async () => {
        const { url } = engine === 'REDIS_URL' ? codes : queue;
        const client = service.as('customer');
        const { email } = await client.createAccount();
        await waitFor('the service is ready', async () => (await service.failing()).length === 0);
        await runRedisCommand(url, ...begin);
        expectError(await client.resetPasswordEmailCodeSend({ body: { email } }), 503, 'SERVICE_UNAVAILABLE');
        await waitFor('redis is degraded', async () => (await service.readiness()).degraded.length > 0);
        await runRedisCommand(url, ...end);
        await waitFor('the service is ready', async () => (await service.failing()).length === 0);
        expect((await client.resetPasswordEmailCodeSend({ body: { email: uniqueEmail() } })).status).to.equal(
          200,
        );
      });
});

describe('e-mail codes when only the mail queue fails', () => {
  const service = useAuthService();

  it('returns 503 and leaves neither a lock nor a code', async () => {
    const client = service().as('customer');
    const { redis, mails } = service();
    const { account, device } = await client.createAccountAndDevice();
    const before = Object.keys(await redis.dump());
    const repair = await breakMailQueue(redis);
    expectError(await client.verificationEmailCode(device), 503, 'SERVICE_UNAVAILABLE');
    expectError(
      await client.resetPasswordEmailCodeSend({ body: { email: account.email } }),
      503,
      'SERVICE_UNAVAILABLE',
    );
    expectError(
      await client.resetPasswordEmailCodeSend({ body: { email: uniqueEmail() } }),
      503,
      'SERVICE_UNAVAILABLE',
    );
    await repair();
    const left = Object.keys(await redis.dump()).filter((key) => !before.includes(key));
    expect(left.filter((key) => !key.startsWith('bull:'))).to.deep.equal([]);

    expect((await client.verificationEmailCode(device)).status).to.equal(200);
    const code = await mails.codeFor(account.email);
    expect((await client.verificationEmailCodeCheck({ ...device, body: { code } })).status).to.equal(200);
  });
});
