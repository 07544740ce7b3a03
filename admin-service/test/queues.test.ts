import { createMailQueue } from '@platform/shared/mail/mail-queue';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { parseSetCookies } from '@platform/shared/testing/http-client';
import { listLoadedPackages } from '@platform/shared/testing/process';
import { expectError } from '@platform/shared/testing/responses';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { Queue, Worker } from 'bullmq';
import { expect } from 'chai';
import jsonwebtoken, { type JwtPayload } from 'jsonwebtoken';
import request, { type Response } from 'supertest';
import { type Member, type RunningAdminService, startAdminService } from './admin-service.ts';

const PAGES = '/api/v1/administrator/queues';
const SESSION = '/administrator/queues/session';
const SECRET_WORDS = 'the-words-of-a-form';

describe('The page of queues', () => {
  let redis: TestRedis;
  let service: RunningAdminService;
  let admin: Member;
  let queue: Queue;
  before('start admin-service with a Redis', async () => {
    redis = await createTestRedis();
    redis.client.setMaxListeners(50);
    service = await startAdminService({ REDIS_URL: redis.url });
    admin = await service.member('ADMIN');
    queue = new Queue('mail', { connection: redis.client });
  });
  after('stop both', async () => {
    await queue?.close();
    await service?.stop();
    await redis?.drop();
  });

  const ask = (method: 'get' | 'put' | 'post' | 'patch' | 'delete', path: string, headers: object = {}) =>
    request(service.url)
      [method](PAGES + path)
      .set(headers as Record<string, string>);
  const bearer = ({ token }: { token: string }) => ({ Authorization: `Bearer ${token}` });
  const openPages = async (member: Member): Promise<{ Cookie: string }> => {
    const answer = await member.api.post(SESSION);
    expect(answer.status, answer.text).to.equal(204);
    const [cookie] = parseSetCookies(answer);
    return { Cookie: `${cookie?.name}=${cookie?.value}` };
  };
  const own = () => ({ Origin: service.url });
  const failedMail = async (to: string): Promise<string> => {
    const mail = {
      template: 'verification-code',
      to,
      sealedCode: 'sealed-code-of-it',
      expiresAt: '2026-01-01',
    };
    // What an earlier story left would be taken first.
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
  const stateOf = async (id: string) => (await queue.getJob(id))?.getState();

  it('When an ADMIN asks for it, then the cookie is for those pages alone, for no script and for no other site', async () => {
    const [cookie, ...others] = parseSetCookies(await admin.api.post(SESSION));
    expect(others).to.deep.equal([]);
    expect(cookie?.attributes).to.include({ path: PAGES, samesite: 'Strict', 'max-age': '900' });
    expect(cookie?.attributes).to.include({ httponly: true, secure: true });
  });

  it('When it is opened with the cookie, then it and its files come, all of them from here, under a strict policy', async () => {
    const cookie = await openPages(admin);
    const page = await ask('get', '/', cookie);
    expect(page.status, page.text).to.equal(200);
    expect(page.text).to.include('<title>Queues</title>').and.include(`<base href="${PAGES}/" />`);
    expect(page.text).not.to.match(/(?:src|href)="(?:https?:)?\/\//);
    const policy = String(page.headers['content-security-policy']);
    expect(policy)
      .to.include("default-src 'self'")
      .and.include("frame-ancestors 'none'")
      .and.not.to.match(/https?:|script-src|unsafe-eval/);
    expect(page.headers).not.to.have.property('x-powered-by');
    const files = [...page.text.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map(([, file]) => file);
    expect(files.length).to.be.at.least(5);
    for (const file of files) expect((await ask('get', `/${file}`, cookie)).status, file).to.equal(200);
  });

  for (const path of ['', '/', '/api/queues', '/static/favicon.ico', '/queue/mail'])
    it(`When ${path || 'it'} is asked for by anybody but an ADMIN, then it is refused`, async () => {
      expectError(await ask('get', path), 401, 'TOKEN_INVALID');
      expectError(await ask('get', path, { Cookie: 'QueuesToken=garbage' }), 401, 'TOKEN_INVALID');
      expectError(await ask('get', path, { Cookie: `QueuesToken=${admin.token}` }), 401, 'TOKEN_INVALID');
      for (const role of ['OPERATOR', 'ARBITER'] as const)
        expectError(await ask('get', path, bearer(await service.member(role))), 403, 'WORKSPACE_FORBIDDEN');
      expect((await ask('get', path, bearer(admin))).status).to.equal(200);
    });

  it("When the page's token is sent as an access token, then it is none", async () => {
    const { Cookie } = await openPages(admin);
    const answer = await service.api(Cookie.replace('QueuesToken=', '')).get('/administrator/me');
    expectError(answer, 401, 'TOKEN_INVALID');
  });

  it('When the ADMIN is blocked, signs out or loses the role, then the cookie opens nothing any more', async () => {
    const { records } = service;
    const [blocked, gone, demoted] = [
      await service.member('ADMIN'),
      await service.member('ADMIN'),
      await service.member('ADMIN'),
    ];
    const cookies = [await openPages(blocked), await openPages(gone), await openPages(demoted)] as const;
    await records.block(blocked.id);
    await records.query('delete from token_records where user_id = $1', [gone.id]);
    await records.query("update user_roles set role = 'OPERATOR' where user_id = $1", [demoted.id]);
    expectError(await ask('get', '/api/queues', cookies[0]), 401, 'USER_BLOCKED');
    expectError(await ask('get', '/api/queues', cookies[1]), 401, 'TOKEN_INVALID');
    expectError(await ask('get', '/api/queues', cookies[2]), 403, 'WORKSPACE_FORBIDDEN');
  });

  it('queue dashboard cookie ends when the session expires, and after 15 minutes in any case', async () => {
    const member = await service.member('ADMIN');
    const cookie = await openPages(member);
    const { iat = 0, exp = 0 } = jsonwebtoken.decode(cookie.Cookie.split('=')[1] ?? '') as JwtPayload;
    expect(exp - iat).to.equal(900);
    expect((await ask('get', '/api/queues', cookie)).status).to.equal(200);
    const { records } = service;
    await records.query(
      "update token_records set refresh_token_expired_at = now() - interval '1 second' where user_id = $1",
      [member.id],
    );
    expectError(await ask('get', '/api/queues', cookie), 401, 'TOKEN_INVALID');
  });

  it('When mails wait and fail, then they are shown without codes, forms and whole addresses', async () => {
    const to = uniqueEmail();
    await failedMail(to);
    await createMailQueue(redis.client as never).add('waiting-1', {
      mail: { template: 'lead-request', to, request: { message: SECRET_WORDS } },
      requestId: 'request-2',
      inOutbox: true,
    });
    const texts: string[] = [];
    for (const status of ['failed', 'waiting']) {
      const answer = await ask('get', `/api/queues?activeQueue=mail&status=${status}`, bearer(admin));
      expect(answer.status, answer.text).to.equal(200);
      texts.push(answer.text);
    }
    texts.push((await ask('get', '/api/queues/mail/waiting-1', bearer(admin))).text);
    const all = texts.join('\n');
    expect(all).to.include('request-1').and.include('request-2').and.include('is unknown');
    expect(all).to.include(`${to[0]}…@`);
    for (const hidden of [to, 'sealed-code-of-it', SECRET_WORDS]) expect(all).not.to.include(hidden);
  });

  it('When a failed mail is tried again and another removed, then that is done, and in the audit log', async () => {
    const cookie = { ...(await openPages(admin)), ...own() };
    const [again, away] = [await failedMail(uniqueEmail()), await failedMail(uniqueEmail())];
    const answers: Response[] = [
      await ask('put', `/api/queues/mail/${again}/retry`, cookie),
      await ask('put', `/api/queues/mail/${away}/clean`, cookie),
    ];
    expect(answers.map(({ status }) => status)).to.deep.equal([204, 204]);
    expect(await stateOf(again)).to.equal('waiting');
    expect(await stateOf(away)).to.equal(undefined);
    const { body } = await admin.api.get('/administrator/audit-log?action=QUEUE_CHANGED&perPage=2');
    expect(body.data.map(({ details }: { details: object }) => details)).to.deep.equal([
      { change: 'clean', target: away },
      { change: 'retry', target: again },
    ]);
    expect(body.data[0]).to.include({ actorId: admin.id, targetType: 'QUEUE', targetId: 'mail' });
  });

  it('When all that failed is tried again, then it is', async () => {
    const id = await failedMail(uniqueEmail());
    expect((await ask('put', '/api/queues/mail/retry/failed', bearer(admin))).status).to.equal(200);
    expect(await stateOf(id)).to.equal('waiting');
  });

  for (const [what, origin] of [
    ['another site', 'https://evil.example'],
    ['another port of this machine', 'http://127.0.0.1:1'],
    ['nowhere', undefined],
    ['an opaque origin', 'null'],
  ] as const)
    it(`When a change comes from ${what} with the cookie, then it is refused and nothing is changed`, async () => {
      const id = await failedMail(uniqueEmail());
      const headers = { ...(await openPages(admin)), ...(origin && { Origin: origin }) };
      const answer = await ask('put', `/api/queues/mail/${id}/clean`, headers);
      expectError(answer, 403, 'WORKSPACE_FORBIDDEN');
      expect(await stateOf(id)).to.equal('failed');
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
    it(`When ${method.toUpperCase()} ${path} is tried, then it is not among what can be done`, async () => {
      expectError(await ask(method, path, bearer(admin)), 405, 'METHOD_NOT_ALLOWED');
    });
});

describe('queue dashboard errors', () => {
  let redis: TestRedis;
  let service: RunningAdminService;
  let admin: Member;
  before('start admin-service with a Redis', async () => {
    redis = await createTestRedis();
    service = await startAdminService({ REDIS_URL: redis.url });
    admin = await service.member('ADMIN');
  });
  after('stop both', async () => {
    await service?.stop();
    await redis?.drop();
  });
  const call = (method: 'get' | 'put', path: string) =>
    request(service.url)
      [method](PAGES + path)
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
    it(`have the one error body for ${method.toUpperCase()} ${path}`, async () => {
      expectError(await call(method, path), status, code);
    });

  it('have the one error body for a job that cannot be retried in its state', async () => {
    const queue = createMailQueue(redis.client as never);
    await queue.add('waiting-2', { mail: { template: 'decoy' }, requestId: 'request-3', inOutbox: false });
    expectError(await call('put', '/api/queues/mail/waiting-2/retry'), 400, 'VALIDATION_FAILED');
  });

  it('have the one error body for a body that is not JSON', async () => {
    const response = call('put', '/api/queues/mail/waiting-2/retry').set('Content-Type', 'application/json');
    expectError(await response.send('{'), 400, 'VALIDATION_FAILED');
  });

  it('are 503 without internal text while Redis does not answer a command', async () => {
    await redis.client.rename('bull:mail:meta', 'bull:mail:meta-2').catch(() => undefined);
    await redis.client.del('bull:mail:wait');
    await redis.client.set('bull:mail:wait', 'a value of the wrong type');
    const response = await call('get', '/api/queues?activeQueue=mail&status=waiting');
    expectError(response, 503, 'SERVICE_UNAVAILABLE');
    expect(response.text).not.to.match(/WRONGTYPE|ReplyError|at /);
  });
});

describe('The page of queues without a Redis', () => {
  it('When nobody has opened it, then nothing that it needs is loaded', async () => {
    const needed = ['bullmq', 'redis', '@bull-board/api', '@bull-board/express'];
    expect(await listLoadedPackages('admin-service/src/queues/bull-board.ts')).to.include.members(needed);
    expect(await listLoadedPackages('admin-service/src/compose.ts')).not.to.include.oneOf(needed);
  });

  it('When REDIS_URL is not set, then the page says that it cannot be shown, and all else works', async () => {
    const service = await startAdminService();
    try {
      const { api, token } = await service.member('ADMIN');
      expectError(await api.post(SESSION), 503, 'SERVICE_UNAVAILABLE');
      const answer = await request(service.url).get(PAGES).set('Authorization', `Bearer ${token}`);
      expectError(answer, 503, 'SERVICE_UNAVAILABLE');
      expect((await api.get('/administrator/me')).status).to.equal(200);
    } finally {
      await service.stop();
    }
  });

  it('When Redis is away, then the page says so soon', async () => {
    const service = await startAdminService({ REDIS_URL: 'redis://127.0.0.1:1' });
    try {
      const { token } = await service.member('ADMIN');
      const started = performance.now();
      const answer = await request(service.url).get(PAGES).set('Authorization', `Bearer ${token}`);
      expectError(answer, 503, 'SERVICE_UNAVAILABLE');
      expect(performance.now() - started).to.be.below(4_000);
    } finally {
      await service.stop();
    }
  });
});
