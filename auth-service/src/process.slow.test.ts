import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { reservePorts, respondsOk } from '@platform/dev/ports';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { createInterruptibleProxy } from '@platform/shared/testing/interruptible-proxy';
import { waitFor } from '@platform/shared/testing/poll';
import { type NodeProcess, startService } from '@platform/shared/testing/process';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { send } from '@platform/shared/testing/responses';
import { createTestDatabase, type TestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { expect } from 'chai';
import { getEnvironment } from '../testing/auth-service.ts';

const LOOPBACK = { port: 0, host: '127.0.0.1' };

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

describe('auth-service process', () => {
  let database: TestDatabase;
  let databaseUrl: string;
  let redis: TestRedis;
  const started: NodeProcess[] = [];
  before(async () => {
    database = await createTestDatabase();
    databaseUrl = await withLoginOf('auth', database.url);
    redis = await createTestRedis();
  });
  after(async () => {
    for (const service of started) service.kill();
    await redis.drop();
    await database.drop();
  });

  const start = (environment: Record<string, string> = {}): NodeProcess => {
    const service = startService('auth-service', {
      ...getEnvironment(databaseUrl),
      REDIS_URL: redis.url,
      LOG_LEVEL: 'info',
      AUTH_API_PORT: '0',
      AUTH_OPS_PORT: '0',
      DRAIN_SECONDS: '0',
      ...environment,
    });
    started.push(service);
    return service;
  };

  it('exits with one line that names all missing variables', async () => {
    const service = startService('auth-service', {});
    started.push(service);
    expect(await service.waitForExit()).to.include({ code: 1 });
    const [line, ...others] = service.logLines();
    expect(others).to.deep.equal([]);
    expect(line?.level).to.equal('fatal');
    for (const name of Object.keys(getEnvironment('')).filter((key) => /SECRET|URL|DOMAINS/.test(key)))
      expect(line?.msg).to.include(`${name} is required`);
  });

  it('names the port that is in use and the variable that sets it', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port } = squatter.address() as AddressInfo;
    const service = start({ AUTH_API_PORT: String(port) });
    expect(await service.waitForExit()).to.include({ code: 1 });
    expect(service.logLines().at(-1)?.msg).to.match(new RegExp(`AUTH_API_PORT.*${port}`));
    squatter.close();
  });

  it('names LISTEN_HOST if it is no address of this machine', async () => {
    const service = start({ LISTEN_HOST: 'no-such-host.invalid' });
    expect(await service.waitForExit()).to.include({ code: 1 });
    expect(service.logLines().at(-1)?.msg).to.match(
      /^Cannot start: LISTEN_HOST: no-such-host\.invalid is not an address of this machine/,
    );
  });

  it('warns at the start of a name that differs from a variable by one character', async () => {
    const service = start({ SESSION_MAX_AGES: '60' });
    await service.listening();
    const warnings = service.logLines().filter(({ level }) => level === 'warn');
    expect(warnings.map(({ msg }) => msg)).to.deep.equal([
      'SESSION_MAX_AGES is not a setting; is it SESSION_MAX_AGE?',
    ]);
    await service.stop();
  });

  it('finishes running requests after SIGTERM, accepts no more and exits with 0', async () => {
    const service = start();
    const { url } = await service.listening();
    const client = createAuthClient(url, CUSTOMER);
    const { email, password, userId } = await client.createAccount();
    const lock = await holdLock(database.url, 'select 1 from users where id = $1 for update', [userId]);
    const underWay = client.signIn({ fingerprint: 'device', body: { email, password } });
    await lock.untilWaiting(1);
    service.kill('SIGTERM');
    await waitFor('no new connection is taken', () =>
      statusOf(`${url}/api/v1/auth/me`).then(
        () => false,
        () => true,
      ),
    );
    await lock.release();
    expect((await underWay).status).to.equal(200);
    expect(await service.waitForExit()).to.include({ code: 0 });
    expect(service.logLines().at(-1)?.msg).to.equal('stopped');
  });

  it('exits with 0 while Redis has not replied to a ping', async () => {
    const proxy = await createInterruptibleProxy(redis.url);
    const service = start({ REDIS_URL: proxy.url });
    const { opsUrl } = await service.listening();
    await waitFor('Redis is connected', async () => {
      const { degraded } = (await (await fetch(`${opsUrl}/readyz`)).json()) as { degraded?: string[] };
      return !degraded?.length;
    });
    proxy.freeze();
    // Pings are sent every 500 ms, and fail after 1 s.
    await delay(700);
    expect(await service.stop()).to.include({ code: 0 });
    expect(service.logLines().at(-1)?.msg).to.equal('stopped');
    await proxy.close();
  });

  it('reports not ready while it drains, and still serves, but closes the connection of each response', async () => {
    const service = start({ DRAIN_SECONDS: '1' });
    const { url, opsUrl } = await service.listening();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const connectionHeader = async (): Promise<string | undefined> => {
      const [response] = await once(get(`${url}/api/v1/auth/me`, { agent }), 'response');
      response.resume();
      await once(response, 'end');
      return response.headers.connection;
    };
    expect(await connectionHeader()).to.equal('keep-alive');
    service.kill('SIGTERM');
    await waitFor('readiness ends', async () => (await statusOf(`${opsUrl}/readyz`)) === 503);
    expect((await send(url, 'GET', '/api/v1/auth/me')).status).to.equal(401);
    await waitFor('a response closes its connection', async () => (await connectionHeader()) === 'close');
    expect(await service.waitForExit()).to.include({ code: 0 });
    agent.destroy();
  });

  it('fails no request while it drains for longer than SHUTDOWN_SECONDS, and exits with 0', async () => {
    const service = start({ DRAIN_SECONDS: '3', SHUTDOWN_SECONDS: '1' });
    const { url } = await service.listening();
    const client = createHttpClient(url, { keepAlive: true });
    const results: (number | string)[] = [];
    const sendUntilRefused = async (): Promise<void> => {
      while (!results.includes('refused')) {
        const { status, failure } = await client.send({ path: '/api/v1/auth/me' });
        results.push(failure ?? status);
        await delay(10);
      }
    };
    const load = [sendUntilRefused(), sendUntilRefused()];
    service.kill('SIGTERM');
    expect(await service.waitForExit()).to.include({ code: 0 });
    await Promise.all(load);
    client.close();
    expect(new Set(results)).to.deep.equal(new Set([401, 'refused']));
  });

  for (const [level, messages] of [
    ['fatal', ['audit', 'audit', 'audit']],
    ['silent', []],
  ] as const)
    it(`logs no requests and ${messages.length} audit lines with LOG_LEVEL=${level}`, async () => {
      const ports = await reservePorts({ api: LOOPBACK, ops: LOOPBACK });
      await Promise.all([ports.api.release(), ports.ops.release()]);
      const service = start({
        LOG_LEVEL: level,
        AUTH_API_PORT: String(ports.api.port),
        AUTH_OPS_PORT: String(ports.ops.port),
      });
      await waitFor('auth-service is ready', () => respondsOk(`http://127.0.0.1:${ports.ops.port}/readyz`));
      const client = createAuthClient(`http://127.0.0.1:${ports.api.port}`, CUSTOMER);
      const device = await client.openDevice(await client.createAccount());
      await client.resetPasswordMe({
        ...device,
        body: { currentPassword: PASSWORD, newPassword: 'Unmistakable horse 2' },
      });
      await service.stop();
      const logged = service.logLines().map(({ msg }) => msg);
      expect(logged.filter((msg) => ['audit', 'request'].includes(msg))).to.deep.equal(messages);
    });

  describe('while it runs', () => {
    let service: NodeProcess;
    let url: string;
    let opsUrl: string;
    before('start it with an invalid lifetime, and all log levels', async () => {
      const lifetimes = { JWT_CUSTOMER_ACCESS_EXPIRES_IN: '15m', JWT_ADMIN_REFRESH_EXPIRES_IN: '60' };
      service = start({ LOG_LEVEL: 'trace', ...lifetimes });
      ({ url, opsUrl } = await service.listening());
    });
    after('stop it', async () => {
      expect(await service.stop()).to.include({ code: 0 });
    });

    /** Runs `work`, which sends this many requests, and returns what the service logs meanwhile. */
    const collectLines = async (requests: number, work: () => Promise<void>) => {
      const { length } = service.logLines();
      await work();
      const lines = () => service.logLines().slice(length);
      const count = () => lines().filter(({ msg }) => msg === 'request').length;
      await waitFor(`${requests} requests are logged`, () => count() >= requests);
      expect(count()).to.equal(requests);
      return lines();
    };

    it('has warned once of a lifetime that is not a number, with the lifetime that it uses', () => {
      // On a busy machine, Redis may be too slow for the first connection, which is logged as a warning too.
      const warnings = service.logLines().filter(({ msg }) => msg.startsWith('JWT_'));
      expect(warnings.map(({ level, msg }) => `${level} ${msg}`)).to.deep.equal([
        'warn JWT_CUSTOMER_ACCESS_EXPIRES_IN: "15m" is not a number, so the lifetime is 3600 s',
      ]);
    });

    it('serves metrics on the operations port only, health and readiness at the API port too, for the gateway', async () => {
      await collectLines(2, async () => {
        for (const path of ['/healthz', '/readyz', '/metrics']) {
          expect(await statusOf(opsUrl + path), path).to.equal(200);
          // Only the 404 is logged.
          expect(await statusOf(url + path), path).to.equal(path === '/metrics' ? 404 : 200);
        }
        await send(url, 'GET', '/api/v1/auth/me');
      });
      const figures = await (await fetch(`${opsUrl}/metrics`)).text();
      expect(figures).to.match(
        /http_request_duration_seconds_count\{[^}]*route="\/api\/v1\/auth\/me"[^}]*status="401"/,
      );
      expect(figures).to.match(/^nodejs_eventloop_lag_seconds/m);
    });

    it('logs a line per request without secrets', async () => {
      const client = createAuthClient(url, CUSTOMER);
      const secrets = ['Unmistakable 7', '$2b$'];
      await collectLines(5, async () => {
        const account = await client.createAccount({ password: 'Unmistakable 7' });
        const first = await client.openDevice(account);
        const second = await client.refreshed(first);
        await client.signUp({ body: '{"password":"Unmistakable 7"' });
        await client.signOut(second);
        for (const { accessToken, refreshToken } of [first, second]) secrets.push(accessToken, refreshToken);
      });
      for (const secret of secrets) expect(service.output()).not.to.include(secret);
    });

    it('does not log query strings, not even after a 500', async () => {
      const query = '?code=Unmistakable-8&email=ada@example.com';
      const headers = {
        Referer: `https://app.example.com/reset${query}`,
        'X-Original-URL': `/reset${query}`,
      };
      const call = async (method: 'GET' | 'POST', path: string, body?: object) =>
        (await send(url, method, path + query, { headers, ...(body && { body }) })).status;
      const account = { email: uniqueEmail(), password: PASSWORD };
      const signUp = `${CUSTOMER.path}/sign-up`;
      const lines = await collectLines(5, async () => {
        await queryDatabase(database.url, 'alter table users rename to users_away');
        expect(await call('POST', signUp, account)).to.equal(500);
        await queryDatabase(database.url, 'alter table users_away rename to users');
        expect(await call('POST', signUp, account)).to.equal(201);
        expect(await call('POST', signUp, {})).to.equal(400);
        expect(await call('GET', '/api/v1/auth/me')).to.equal(401);
        expect(await call('GET', '/nowhere')).to.equal(404);
      });
      expect(lines.filter(({ level }) => level === 'error')).to.have.lengthOf(1);
      expect(service.output()).not.to.match(/Unmistakable-8|app\.example\.com|\?code/);
    });
  });
});
