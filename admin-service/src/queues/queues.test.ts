import { createMailCipher } from '@platform/shared/platform/mail/mail-encryption';
import { createMailQueue } from '@platform/shared/platform/mail/mail-queue';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { parseSetCookies } from '@platform/shared/testing/http-client';
import { listLoadedPackages } from '@platform/shared/testing/process';
import { expectError } from '@platform/shared/testing/responses';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { Queue, Worker } from 'bullmq';
import { expect } from 'chai';
import jsonwebtoken, { type JwtPayload } from 'jsonwebtoken';
import request, { type Response } from 'supertest';
import {
  type RunningAdminService,
  type SignedInUser,
  startAdminService,
} from '../../testing/admin-service.ts';

const DASHBOARD = '/api/v1/administrator/queues';
const FORM_TEXT = 'the-text-of-a-form';
const cipher = createMailCipher({ current: 'code-secret-of-the-tests-0000000000001', previous: [] });

describe('queue dashboard', () => {
  let redis: TestRedis;
  let service: RunningAdminService;
  let admin: SignedInUser;
  let queue: Queue;
  before('start admin-service with a Redis', async () => {
    redis = await createTestRedis();
    redis.client.setMaxListeners(50);
    service = await startAdminService({ REDIS_URL: redis.url });
    admin = await service.as('ADMIN');
    queue = new Queue('mail', { connection: redis.client });
  });
  after('stop both', async () => {
    await queue?.close();
    await service?.stop();
    await redis?.drop();
  });

  const send = (method: 'get' | 'put' | 'post' | 'patch' | 'delete', path: string, headers: object = {}) =>
    request(service.url)
      [method](DASHBOARD + path)
      .set(headers as Record<string, string>);
  const bearer = ({ token }: { token: string }) => ({ Authorization: `Bearer ${token}` });
  const openDashboard = async (user: SignedInUser): Promise<{ Cookie: string }> => {
    const response = await user.openQueues();
    expect(response.status, response.text).to.equal(204);
    const [cookie] = parseSetCookies(response);
    return { Cookie: `${cookie?.name}=${cookie?.value}` };
  };
  const sameOrigin = () => ({ Origin: service.url });
  const addFailedMail = async (to: string): Promise<string> => {
    const mail = {
      template: 'verification-code',
      to,
      code: 'code-of-it',
      expiresAt: '2026-01-01',
    };
    // Otherwise the worker would process the jobs of earlier tests first.
    await queue.drain();
    const job = await queue.add('verification-code', { mail, requestId: 'request-1', inOutbox: false });
    const worker = new Worker(
      'mail',
      async () => {
        throw new Error(`550 <${to}> is unknown`);
      },
      { connection: redis.client },
    );
    await new Promise((resolve) => worker.once('failed', resolve));
    await worker.close();
    return String(job.id);
  };
  const getJobState = async (id: string) => (await queue.getJob(id))?.getState();

  it('sets an HttpOnly, Secure, SameSite=Strict cookie for the path of the dashboard', async () => {
    const [cookie, ...others] = parseSetCookies(await admin.openQueues());
    expect(others).to.deep.equal([]);
    expect(cookie?.attributes).to.include({ path: DASHBOARD, samesite: 'Strict', 'max-age': '900' });
    expect(cookie?.attributes).to.include({ httponly: true, secure: true });
  });

  it('serves the page and its files with the cookie under a strict CSP, without external resources', async () => {
    const cookie = await openDashboard(admin);
    const page = await send('get', '/', cookie);
    expect(page.status, page.text).to.equal(200);
    expect(page.text).to.include('<title>Queues</title>').and.include(`<base href="${DASHBOARD}/" />`);
    expect(page.text).not.to.match(/(?:src|href)="(?:https?:)?\/\//);
    const policy = String(page.headers['content-security-policy']);
    expect(policy)
      .to.include("default-src 'self'")
      .and.include("frame-ancestors 'none'")
      .and.not.to.match(/https?:|script-src|unsafe-eval/);
    expect(page.headers).not.to.have.property('x-powered-by');
    const files = [...page.text.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map(([, file]) => file);
    expect(files.length).to.be.at.least(5);
    for (const file of files) expect((await send('get', `/${file}`, cookie)).status, file).to.equal(200);
  });

  for (const path of ['', '/', '/api/queues', '/static/favicon.ico', '/queue/mail'])
    it(`allows only an ADMIN to get ${path || 'the page'}`, async () => {
      expectError(await send('get', path), 401, 'TOKEN_INVALID');
      expectError(await send('get', path, { Cookie: 'QueuesToken=garbage' }), 401, 'TOKEN_INVALID');
      expectError(await send('get', path, { Cookie: `QueuesToken=${admin.token}` }), 401, 'TOKEN_INVALID');
      for (const role of ['OPERATOR', 'ARBITER'] as const)
        expectError(await send('get', path, bearer(await service.as(role))), 403, 'WORKSPACE_FORBIDDEN');
      expect((await send('get', path, bearer(admin))).status).to.equal(200);
    });

  it('returns 401 when the dashboard token is sent as an access token', async () => {
    const { Cookie } = await openDashboard(admin);
    const response = await service.withToken(Cookie.replace('QueuesToken=', '')).administratorWorkspaceMe();
    expectError(response, 401, 'TOKEN_INVALID');
  });

  it('rejects the cookie after a block, a sign-out or the loss of the role', async () => {
    const { records } = service;
    const [blocked, signedOut, demoted] = [
      await service.as('ADMIN'),
      await service.as('ADMIN'),
      await service.as('ADMIN'),
    ];
    const cookies = [
      await openDashboard(blocked),
      await openDashboard(signedOut),
      await openDashboard(demoted),
    ] as const;
    await records.block(blocked.id);
    await records.query('delete from token_records where user_id = $1', [signedOut.id]);
    await records.query("update user_roles set role = 'OPERATOR' where user_id = $1", [demoted.id]);
    expectError(await send('get', '/api/queues', cookies[0]), 401, 'USER_BLOCKED');
    expectError(await send('get', '/api/queues', cookies[1]), 401, 'TOKEN_INVALID');
    expectError(await send('get', '/api/queues', cookies[2]), 403, 'WORKSPACE_FORBIDDEN');
  });

  it('limits the cookie to the session and to 15 minutes', async () => {
    const user = await service.as('ADMIN');
    const cookie = await openDashboard(user);
    const { iat = 0, exp = 0 } = jsonwebtoken.decode(cookie.Cookie.split('=')[1] ?? '') as JwtPayload;
    expect(exp - iat).to.equal(900);
    expect((await send('get', '/api/queues', cookie)).status).to.equal(200);
    const { records } = service;
    await records.query(
      "update token_records set refresh_token_expired_at = now() - interval '1 second' where user_id = $1",
      [user.id],
    );
    expectError(await send('get', '/api/queues', cookie), 401, 'TOKEN_INVALID');
  });

  it('shows waiting and failed mails without codes, form text and full addresses', async () => {
    const to = uniqueEmail();
    await addFailedMail(to);
    await createMailQueue(redis.client as never, cipher).add('waiting-1', {
      mail: { template: 'lead-request', to, request: { message: FORM_TEXT } },
      requestId: 'request-2',
      inOutbox: true,
    });
    const bodies: string[] = [];
    for (const status of ['failed', 'waiting']) {
      const response = await send('get', `/api/queues?activeQueue=mail&status=${status}`, bearer(admin));
      expect(response.status, response.text).to.equal(200);
      bodies.push(response.text);
    }
    bodies.push((await send('get', '/api/queues/mail/waiting-1', bearer(admin))).text);
    const all = bodies.join('\n');
    expect(all).to.include('request-1').and.include('request-2').and.include('is unknown');
    for (const hidden of [to, 'code-of-it', FORM_TEXT]) expect(all).not.to.include(hidden);
  });

  it('retries and removes failed mails and audits both', async () => {
    const cookie = { ...(await openDashboard(admin)), ...sameOrigin() };
    const [retried, removed] = [await addFailedMail(uniqueEmail()), await addFailedMail(uniqueEmail())];
    const responses: Response[] = [
      await send('put', `/api/queues/mail/${retried}/retry`, cookie),
      await send('put', `/api/queues/mail/${removed}/clean`, cookie),
    ];
    expect(responses.map(({ status }) => status)).to.deep.equal([204, 204]);
    expect(await getJobState(retried)).to.equal('waiting');
    expect(await getJobState(removed)).to.equal(undefined);
    const { body } = await admin.listAuditLog({ query: { action: 'QUEUE_CHANGED', perPage: '2' } });
    expect(body.data.map(({ details }: { details: object }) => details)).to.deep.equal([
      { change: 'clean', target: removed },
      { change: 'retry', target: retried },
    ]);
    expect(body.data[0]).to.include({ actorId: admin.id, targetType: 'QUEUE', targetId: 'mail' });
  });

  it('retries all failed mails', async () => {
    const id = await addFailedMail(uniqueEmail());
    expect((await send('put', '/api/queues/mail/retry/failed', bearer(admin))).status).to.equal(200);
    expect(await getJobState(id)).to.equal('waiting');
  });

  for (const [name, origin] of [
    ['another site', 'https://evil.example'],
    ['another port of this machine', 'http://127.0.0.1:1'],
    ['no origin', undefined],
    ['an opaque origin', 'null'],
  ] as const)
    it(`returns 403 for a change from ${name} with the cookie and changes nothing`, async () => {
      const id = await addFailedMail(uniqueEmail());
      const headers = { ...(await openDashboard(admin)), ...(origin && { Origin: origin }) };
      const response = await send('put', `/api/queues/mail/${id}/clean`, headers);
      expectError(response, 403, 'WORKSPACE_FORBIDDEN');
      expect(await getJobState(id)).to.equal('failed');
    });

  for (const [method, path] of [
    ['post', '/api/queues/mail/add'],
    ['put', '/api/queues/pause'],
    ['put', '/api/queues/mail/pause'],
    ['put', '/api/queues/mail/empty'],
    ['put', '/api/queues/mail/obliterate'],
    ['put', '/api/queues/mail/promote'],
    ['put', '/api/queues/mail/clean/waiting'],
    ['put', '/api/queues/mail/concurrency'],
    ['patch', '/api/queues/mail/waiting-1/update-data'],
    ['put', '/api/queues/maintenance/job-schedulers/remove-expired-tokens/remove'],
    ['put', '/api/queues/mail/%63lean/waiting'],
    ['delete', '/'],
  ] as const)
    it(`returns 405 for ${method.toUpperCase()} ${path}`, async () => {
      expectError(await send(method, path, bearer(admin)), 405, 'METHOD_NOT_ALLOWED');
    });
});

describe('queue dashboard errors', () => {
  let redis: TestRedis;
  let service: RunningAdminService;
  let admin: SignedInUser;
  before('start admin-service with a Redis', async () => {
    redis = await createTestRedis();
    service = await startAdminService({ REDIS_URL: redis.url });
    admin = await service.as('ADMIN');
  });
  after('stop both', async () => {
    await service?.stop();
    await redis?.drop();
  });
  const call = (method: 'get' | 'put', path: string) =>
    request(service.url)
      [method](DASHBOARD + path)
      .set('Authorization', `Bearer ${admin.token}`);

  for (const [method, path, status, code] of [
    ['get', '/api/queues/none/job-1', 404, 'ROUTE_NOT_FOUND'],
    ['get', '/api/queues/mail/none', 404, 'ROUTE_NOT_FOUND'],
    ['put', '/api/queues/mail/none/retry', 404, 'ROUTE_NOT_FOUND'],
    ['put', '/api/queues/none/clean/failed', 404, 'ROUTE_NOT_FOUND'],
    ['get', '/api/queues?page=many', 400, 'VALIDATION_FAILED'],
    ['get', '/static/none.js', 404, 'ROUTE_NOT_FOUND'],
    ['get', '/static/%zz', 400, 'VALIDATION_FAILED'],
    ['get', '/none', 404, 'ROUTE_NOT_FOUND'],
  ] as const)
    it(`return the platform's error body for ${method.toUpperCase()} ${path}`, async () => {
      expectError(await call(method, path), status, code);
    });

  it("return the platform's error body for a job that cannot be retried in its state", async () => {
    const queue = createMailQueue(redis.client as never, cipher);
    await queue.add('waiting-2', {
      mail: {
        template: 'account-deleted',
        to: 'ada@example.com',
        language: 'en',
        isEmailVerified: true,
        deletedAt: '',
      },
      requestId: 'request-3',
      inOutbox: false,
    });
    expectError(await call('put', '/api/queues/mail/waiting-2/retry'), 400, 'VALIDATION_FAILED');
  });

  it("return the platform's error body for a body that is not JSON", async () => {
    const response = call('put', '/api/queues/mail/waiting-2/retry').set('Content-Type', 'application/json');
    expectError(await response.send('{'), 400, 'VALIDATION_FAILED');
  });

  it('return 503 without internal details when a Redis command fails', async () => {
    await redis.client.rename('bull:mail:meta', 'bull:mail:meta-2').catch(() => undefined);
    await redis.client.del('bull:mail:wait');
    await redis.client.set('bull:mail:wait', 'a value of the wrong type');
    const response = await call('get', '/api/queues?activeQueue=mail&status=waiting');
    expectError(response, 503, 'SERVICE_UNAVAILABLE');
    expect(response.text).not.to.match(/WRONGTYPE|ReplyError|at /);
  });
});

describe('queue dashboard without Redis', () => {
  it('does not load its packages before the first request', async () => {
    const needed = ['bullmq', 'redis', '@bull-board/api', '@bull-board/express'];
    expect(await listLoadedPackages('admin-service/src/queues/bull-board-adapter.ts')).to.include.members(
      needed,
    );
    expect(await listLoadedPackages('admin-service/src/compose.ts')).not.to.include.oneOf(needed);
  });

  it('returns 503 when REDIS_URL is not set, while other routes work', async () => {
    const service = await startAdminService();
    try {
      const caller = await service.as('ADMIN');
      const { token } = caller;
      expectError(await caller.openQueues(), 503, 'SERVICE_UNAVAILABLE');
      const response = await request(service.url).get(DASHBOARD).set('Authorization', `Bearer ${token}`);
      expectError(response, 503, 'SERVICE_UNAVAILABLE');
      expect((await caller.administratorWorkspaceMe()).status).to.equal(200);
    } finally {
      await service.stop();
    }
  });

  it('returns 503 when Redis is unavailable', async () => {
    const service = await startAdminService({ REDIS_URL: 'redis://127.0.0.1:1' });
    try {
      const { token } = await service.as('ADMIN');
      const response = await request(service.url).get(DASHBOARD).set('Authorization', `Bearer ${token}`);
      expectError(response, 503, 'SERVICE_UNAVAILABLE');
    } finally {
      await service.stop();
    }
  });
});
