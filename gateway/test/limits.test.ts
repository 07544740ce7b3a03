import {
  createInterruptibleProxy,
  type InterruptibleProxy,
} from '@platform/shared/testing/interruptible-proxy';
import { waitFor } from '@platform/shared/testing/poll';
import { parseStatus, sendRaw } from '@platform/shared/testing/raw-http';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { expect } from 'chai';
import request, { type Response } from 'supertest';
import { findDeadUrl, type StandIn, startStandIn } from './fake-upstream.ts';
import { type Gateway, startGateway } from './gateway-under-test.ts';

const ORIGIN = 'http://localhost:5173';
const KINDS = ['customers/auth', 'employees/auth', 'auth/admin'];
const ROUTES = {
  'sign-in': ['sign-in', 'sign-up', 'register', 'refresh/token'],
  codes: [
    'verification/email/code',
    'verification/email/code/check',
    'reset-password/email/code/send',
    'reset-password/email/code',
  ],
};

/** Every path with a limit of its own, and the limit's name. */
const TIGHT_PATHS: [string, string][] = [
  ...Object.entries(ROUTES).flatMap(([name, routes]) =>
    KINDS.flatMap((kind) => routes.map((route): [string, string] => [`/api/v1/${kind}/${route}`, name])),
  ),
  ['/api/v1/contact/lead', 'contact'],
  ['/api/v1/contact/support', 'contact'],
];

const SIGN_IN = '/api/v1/customers/auth/sign-in';
const ORDINARY_PATHS = [
  '/api/v1/customers/auth/me',
  '/api/v1/employees/auth/verification/email/check',
  '/api/v1/auth/me',
  '/api/v1/customers/auth/sessions',
  '/api/v1/users',
  '/api/v1/contacts',
  '/api/v1/customers/auth/sign-in/more',
  '/healthz',
];

const range = (length: number) => Array.from({ length }, (_, index) => index);

/** `RateLimit: "all";r=599;t=60` becomes `{ name: 'all', left: 599, seconds: 60 }`. */
const readLimit = ({ headers }: Response) => {
  const [, name, left, seconds] = /^"([\w-]+)";r=(\d+);t=(\d+)$/.exec(headers['ratelimit'] ?? '') ?? [];
  return { name, left: Number(left), seconds: Number(seconds) };
};

const expectRefused = (answer: Response): void => {
  expect(answer.status, answer.text).to.equal(429);
  expect(answer.body).to.include({ statusCode: 429, error: 'Too Many Requests', code: 'RATE_LIMITED' });
  expect(answer.body.requestId).to.equal(answer.headers['x-request-id']);
  expect(Number(answer.headers['retry-after'])).to.be.within(1, 60);
  expect(readLimit(answer).left).to.equal(0);
};

describe('The limits of an address', () => {
  let service: StandIn;
  const gateways: Gateway[] = [];

  before('start a service', async () => {
    service = await startStandIn();
  });
  afterEach('stop the gateways of the test', () =>
    Promise.all(gateways.splice(0).map((gateway) => gateway.stop())),
  );
  after('stop the service', () => service.stop());

  const start = async (options: Partial<Parameters<typeof startGateway>[0]> = {}): Promise<Gateway> => {
    const gateway = await startGateway({
      auth: [service.url],
      admin: [service.url],
      rateLimitScale: 0.1,
      ...options,
    });
    gateways.push(gateway);
    return gateway;
  };
  const get = (gateway: Gateway, path: string, headers: Record<string, string> = {}) =>
    request(gateway.url).get(path).set(headers);
  const statuses = async (gateway: Gateway, path: string, count: number) => {
    const answers: number[] = [];
    for (const _ of range(count)) answers.push((await get(gateway, path)).status);
    return answers;
  };

  describe('as they are without a scale', () => {
    const limits: [string, number, string][] = [
      ['any path', 600, '/api/v1/users'],
      ['the sign-in routes', 60, SIGN_IN],
      ['the code routes', 30, '/api/v1/employees/auth/verification/email/code'],
      ['the contact forms', 20, '/api/v1/contact/lead'],
    ];
    for (const [what, points, path] of limits)
      it(`When ${what} got ${points} requests within a minute, then the next one is refused and no service sees it`, async () => {
        const gateway = await start({ rateLimitScale: 1 });
        service.received.length = 0;
        const answers: number[] = [];
        // Side by side, so that what is counted is counted atomically too.
        await Promise.all(
          range(10).map(async (worker) => {
            for (const _ of range(points / 10))
              answers.push((await get(gateway, path, { W: `${worker}` })).status);
          }),
        );
        expect(new Set(answers)).to.deep.equal(new Set([200]));
        const refused = await get(gateway, path);
        expectRefused(refused);
        expect(refused.headers['ratelimit-policy']).to.match(new RegExp(`^"[\\w-]+";q=${points};w=60$`));
        expect(service.received).to.have.length(points);
      });
  });

  it('When a path is one of sign-in, of codes or of the contact forms, then its own limit is shown, else the broad one', async () => {
    const gateway = await start({ rateLimitScale: 10 });
    for (const [path, name] of TIGHT_PATHS)
      expect(readLimit(await get(gateway, path)).name, path).to.equal(name);
    for (const path of ORDINARY_PATHS) expect(readLimit(await get(gateway, path)).name, path).to.equal('all');
  });

  it('When requests go on, then each answer says how many are left and for how long', async () => {
    const gateway = await start();
    for (const left of [59, 58, 57]) {
      const answer = await get(gateway, '/api/v1/users');
      expect(answer.headers['ratelimit-policy']).to.equal('"all";q=60;w=60');
      expect(readLimit(answer)).to.deep.include({ name: 'all', left });
      expect(readLimit(answer).seconds).to.be.within(1, 60);
    }
  });

  it('When one limit is used up, then what has another limit is still served', async () => {
    const gateway = await start();
    expect(await statuses(gateway, '/api/v1/contact/lead', 3)).to.deep.equal([200, 200, 429]);
    for (const path of [SIGN_IN, '/api/v1/auth/admin/verification/email/code', '/api/v1/users'])
      expect((await get(gateway, path)).status, path).to.equal(200);
  });

  it('When the sign-in routes of the three kinds are tried in turn, then they count together', async () => {
    const gateway = await start();
    const paths = range(6).map((index) => `/api/v1/${KINDS[index % 3]}/${ROUTES['sign-in'][index % 4]}`);
    for (const path of paths) expect((await get(gateway, path)).status).to.equal(200);
    expectRefused(await get(gateway, SIGN_IN));
  });

  it('When a path has a query, then it does not escape its limit', async () => {
    const gateway = await start();
    const paths = [SIGN_IN, `${SIGN_IN}?x=1`, `${SIGN_IN}?a=/b`];
    for (const path of [...paths, ...paths])
      expect(readLimit(await get(gateway, path)).name, path).to.equal('sign-in');
    for (const path of paths) expectRefused(await get(gateway, path));
  });

  it('When the broad limit is used up, then the answers say so on every path, the health checks and unknown paths too', async () => {
    const gateway = await start({ rateLimitScale: 0.005 });
    expect(await statuses(gateway, '/api/v1/users', 4)).to.deep.equal([200, 200, 200, 429]);
    for (const path of ['/api/v1/users', '/nowhere', '/healthz', '/readyz', SIGN_IN]) {
      const answer = await get(gateway, path);
      expectRefused(answer);
      expect(readLimit(answer).name, path).to.equal('all');
    }
  });

  it('When a browser asks from an allowed origin, then it may read the refusal, and its preflights are answered still', async () => {
    const gateway = await start();
    expect(await statuses(gateway, '/api/v1/contact/lead', 2)).to.deep.equal([200, 200]);
    const refused = await get(gateway, '/api/v1/contact/lead', { Origin: ORIGIN });
    expectRefused(refused);
    expect(refused.headers).to.include({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-credentials': 'true',
    });
    expect(refused.headers['access-control-expose-headers']?.split(',')).to.include.members([
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
    ]);
    const preflight = await request(gateway.url)
      .options('/api/v1/contact/lead')
      .set({ Origin: ORIGIN, 'Access-Control-Request-Method': 'POST' });
    expect(preflight.status).to.equal(204);
  });

  it('Every answer carries RateLimit and RateLimit-Policy, be it a page, an error or a preflight', async () => {
    const dead = await findDeadUrl();
    const gateway = await start({ rateLimitScale: 10, admin: [dead] });
    const { url } = gateway;
    const answers: [string, number, Response][] = [
      ['of a service', 200, await request(url).get('/api/v1/auth/me')],
      ['of the health check', 200, await request(url).get('/healthz')],
      ['of readiness', 503, await request(url).get('/readyz')],
      ['for an unknown route', 404, await request(url).get('/nowhere')],
      ['for an unclear path', 400, await request(url).get('/api/v1/auth/..%2fme')],
      ['for a health check by POST', 405, await request(url).post('/healthz')],
      [
        'for a body that is too large',
        413,
        await request(url).post('/api/v1/auth/me').send('x'.repeat(102_401)),
      ],
      ['of a service that is away', 502, await request(url).get('/api/v1/users')],
      ['to HEAD', 200, await request(url).head('/api/v1/auth/me')],
      [
        'to a preflight',
        204,
        await request(url).options(SIGN_IN).set({ Origin: ORIGIN, 'Access-Control-Request-Method': 'POST' }),
      ],
      [
        'to a preflight of a foreign origin',
        204,
        await request(url)
          .options(SIGN_IN)
          .set({ Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' }),
      ],
    ];
    for (const [what, status, answer] of answers) {
      expect(answer.status, what).to.equal(status);
      expect(answer.headers['ratelimit'], what).to.match(/^"[\w-]+";r=\d+;t=\d+$/);
      expect(answer.headers['ratelimit-policy'], what).to.match(/^"[\w-]+";q=\d+;w=60$/);
    }
    const many = await sendRaw(
      url,
      `GET /api/v1/auth/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${'a:\r\n'.repeat(101)}\r\n`,
    );
    expect(parseStatus(many)).to.equal(431);
    expect(many).to.match(/^RateLimit: "all"/im);
  });

  describe('and whose they are', () => {
    it('When a client claims other addresses, then its requests count as those of the one it connects from', async () => {
      const gateway = await start();
      for (const index of range(6))
        expect((await get(gateway, SIGN_IN, { 'X-Forwarded-For': `203.0.113.${index}` })).status).to.equal(
          200,
        );
      for (const headers of [
        { 'X-Forwarded-For': '203.0.113.77' },
        { 'X-Forwarded-For': '203.0.113.77, 198.51.100.1, 192.0.2.1' },
        { Forwarded: 'for=203.0.113.77' },
        { 'X-Real-IP': '203.0.113.77' },
        { 'True-Client-IP': '203.0.113.77', 'CF-Connecting-IP': '203.0.113.77' },
      ])
        expectRefused(await get(gateway, SIGN_IN, headers as Record<string, string>));
    });

    const fromAddress = (gateway: Gateway, address: string) =>
      get(gateway, SIGN_IN, { 'X-Forwarded-For': address });

    it('When a balancer reports IPv6 addresses, then those of one /64 count together and another /64 for itself', async () => {
      const gateway = await start({ trustedProxyHops: 1 });
      for (const index of range(6))
        expect((await fromAddress(gateway, `2001:db8:0:7::${(index * 4_099).toString(16)}`)).status).to.equal(
          200,
        );
      for (const address of [
        '2001:db8:0:7:ffff:ffff:ffff:ffff',
        '2001:0DB8:0000:0007::1',
        '2001:db8::7:1:2:3:4',
      ])
        expectRefused(await fromAddress(gateway, address));
      for (const address of ['2001:db8:0:8::1', '2001:db8:1:7::1', '::1'])
        expect((await fromAddress(gateway, address)).status, address).to.equal(200);
    });

    it('When IPv4 addresses are reported, then each counts for itself, and the same one mapped into IPv6 with it', async () => {
      const gateway = await start({ trustedProxyHops: 1 });
      for (const address of [
        '192.0.2.1',
        '::ffff:192.0.2.1',
        '::FFFF:192.0.2.1',
        '192.0.2.1',
        '192.0.2.1',
        '192.0.2.1',
      ])
        expect((await fromAddress(gateway, address)).status).to.equal(200);
      for (const address of ['192.0.2.1', '::ffff:192.0.2.1'])
        expectRefused(await fromAddress(gateway, address));
      expect((await fromAddress(gateway, '192.0.2.2')).status).to.equal(200);
    });

    it('When the client adds addresses in front of what the balancer reports, then they do not count', async () => {
      const gateway = await start({ trustedProxyHops: 1 });
      for (const index of range(6))
        expect((await fromAddress(gateway, `198.51.100.${index}, 192.0.2.9`)).status).to.equal(200);
      expectRefused(await fromAddress(gateway, '198.51.100.77, 192.0.2.9'));
    });
  });

  describe('with a Redis that two gateways share', () => {
    let redis: TestRedis;
    let proxy: InterruptibleProxy;
    before('take a Redis', async () => {
      redis = await createTestRedis();
      proxy = await createInterruptibleProxy(redis.url);
    });
    beforeEach('empty it', () => redis.client.flushDb());
    after('give it back', async () => {
      await proxy.close();
      await redis.drop();
    });
    /** An address of its own, so that the tests' own is not counted. */
    const untilItCountsInRedis = (gateway: Gateway) =>
      waitFor('the gateway counts in Redis', async () => {
        await get(gateway, SIGN_IN, { 'X-Forwarded-For': '192.0.2.200' });
        return (await redis.client.del('limit:sign-in:192.0.2.200')) === 1;
      });
    const startBoth = async (redisUrl: string) => {
      const options = { redisUrl, trustedProxyHops: 1 };
      const both = [await start(options), await start(options)] as const;
      for (const gateway of both) await untilItCountsInRedis(gateway);
      return both;
    };

    it('When an address spreads its requests over both, then a tight limit holds over both', async () => {
      const [one, other] = await startBoth(redis.url);
      for (const _ of range(3)) {
        expect((await get(one, SIGN_IN)).status).to.equal(200);
        expect((await get(other, SIGN_IN)).status).to.equal(200);
      }
      for (const gateway of [one, other]) expectRefused(await get(gateway, SIGN_IN));
    });

    it('When they come at once, then exactly as many as the limit allows get through', async () => {
      const [one, other] = await startBoth(redis.url);
      const answers = await Promise.all(range(30).map((index) => get(index % 2 ? one : other, SIGN_IN)));
      expect(answers.filter(({ status }) => status === 200)).to.have.length(6);
      for (const answer of answers.filter(({ status }) => status !== 200)) expectRefused(answer);
    });

    it('When the minute is over, then the address may try again', async () => {
      const [one, other] = await startBoth(redis.url);
      for (const _ of range(6)) await get(one, SIGN_IN);
      expectRefused(await get(other, SIGN_IN));
      await redis.passTime(60);
      expect((await get(other, SIGN_IN)).status).to.equal(200);
    });

    it('The broad limit is counted by each gateway for itself, without Redis', async () => {
      const [one, other] = await startBoth(redis.url);
      await get(one, '/api/v1/users');
      const left = readLimit(await get(one, '/api/v1/users')).left;
      expect(readLimit(await get(other, '/api/v1/users')).left).to.be.above(left);
      expect(Object.keys(await redis.dump())).to.deep.equal([]);
    });

    it('When Redis goes away, then each gateway counts for itself at once, and in Redis when it is back', async () => {
      const [one] = await startBoth(proxy.url);
      await proxy.cut();
      const answers: number[] = [];
      for (const _ of range(8)) {
        const started = performance.now();
        answers.push((await get(one, SIGN_IN)).status);
        expect(performance.now() - started).to.be.below(1_000);
      }
      expect(answers.filter((status) => status === 200)).to.have.length(6);
      expect(answers.slice(6)).to.deep.equal([429, 429]);
      await proxy.restore();
      await untilItCountsInRedis(one);
      expect((await get(one, SIGN_IN)).status).to.equal(200);
    });

    it('When Redis freezes, then requests are answered within 3 s and limited all the same', async () => {
      const [one] = await startBoth(proxy.url);
      proxy.freeze();
      const answers = await Promise.all(
        range(9).map(async () => {
          const started = performance.now();
          const { status } = await get(one, SIGN_IN);
          expect(performance.now() - started).to.be.below(3_000);
          return status;
        }),
      );
      expect(answers.filter((status) => status === 200)).to.have.length(6);
      await proxy.restore();
    });

    it('When Redis was never there, then the gateway serves and limits', async () => {
      const gateway = await start({ redisUrl: 'redis://127.0.0.1:1' });
      const answers = await statuses(gateway, SIGN_IN, 8);
      expect(answers).to.deep.equal([200, 200, 200, 200, 200, 200, 429, 429]);
    });
  });
});
