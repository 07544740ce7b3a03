import type { OutgoingHttpHeaders, RequestListener } from 'node:http';
import { PERMISSIONS_POLICY } from '@platform/shared/http/static-content';
import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import request from 'supertest';
import { getUnreachableUrl } from '../../testing/fake-upstream.ts';
import { useTestServers } from '../../testing/start-gateway.ts';

const ORDERS = '/api/v1/orders';
const PLATFORM_PATHS = ['/api/v1/auth/me', '/api/v1/users'];
const range = (length: number) => Array.from({ length }, (_, index) => index);

describe('other services behind the gateway', () => {
  const { startUpstream, startGatewayTo } = useTestServers();

  const startGatewayToService = async (url: string, config: Parameters<typeof startGatewayTo>[1] = {}) => {
    const platform = await startUpstream();
    const services = [{ name: 'shop', prefixes: [ORDERS], urls: [url] }];
    const gateway = await startGatewayTo([platform.url], { services, ...config });
    return { platform, gateway, url: gateway.url };
  };
  const start = async (listener?: RequestListener) => {
    const service = await startUpstream(listener);
    return { service, ...(await startGatewayToService(service.url)) };
  };

  it('get their methods, targets, content types and bodies of 100 KB unchanged', async () => {
    const { service, url } = await start();
    const body = Buffer.alloc(102_400, 'é', 'latin1');
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      await fetch(`${url}${ORDERS}/1/?a=%2F..`, {
        method,
        body,
        headers: { 'Content-Type': 'image/png', 'Idempotency-Key': 'k', Authorization: 'Bearer t' },
      });
    for (const method of ['GET', 'HEAD']) await fetch(`${url}${ORDERS}/`, { method });
    expect(service.received.map(({ method, url: target }) => `${method} ${target}`)).to.deep.equal([
      ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} ${ORDERS}/1/?a=%2F..`),
      ...['GET', 'HEAD'].map((method) => `${method} ${ORDERS}/`),
    ]);
    expect(service.received[0]?.headers).to.include({
      'content-type': 'image/png',
      'content-length': '102400',
      'idempotency-key': 'k',
      authorization: 'Bearer t',
      'x-forwarded-for': '127.0.0.1',
    });
    const large = await request(url).put(ORDERS).send('x'.repeat(102_401));
    expect([large.status, large.body.code]).to.deep.equal([413, 'BODY_TOO_LARGE']);
    for (const method of ['options', 'trace', 'propfind']) {
      const refused = await request(url)[method as 'options'](ORDERS);
      expect([refused.status, refused.headers['allow']]).to.deep.equal([
        405,
        'GET, HEAD, POST, PUT, PATCH, DELETE',
      ]);
    }
  });

  it('allow more methods and a header by CORS on their paths only', async () => {
    const { url } = await start();
    const preflight = (path: string) =>
      request(url).options(path).set({
        Origin: 'http://localhost:5173',
        'Access-Control-Request-Method': 'PUT',
      });
    const { headers } = await preflight(`${ORDERS}/1`).expect(204);
    expect(headers['access-control-allow-methods']).to.equal('GET,HEAD,POST,PUT,PATCH,DELETE');
    expect(headers['access-control-allow-headers']).to.match(/^Authorization,.*,Idempotency-Key$/);
    expect((await preflight('/api/v1/users')).headers['access-control-allow-headers']).not.to.contain(
      'Idempotency-Key',
    );
  });

  const COOKIES: [sent: string, received: string | undefined][] = [
    ['a=1; CustomerRefreshToken=t; b=2', 'a=1; b=2'],
    ['EmployeeRefreshToken=t;AdminRefreshToken=u', undefined],
    [
      'xCustomerRefreshToken=1;  CustomerRefreshToken =t; customerrefreshtoken=2',
      'xCustomerRefreshToken=1; customerrefreshtoken=2',
    ],
    ['a=CustomerRefreshToken=1', 'a=CustomerRefreshToken=1'],
  ];
  it('never get the cookies of the platform', async () => {
    const { service, platform, url } = await start();
    for (const [sent, received] of COOKIES) {
      await request(url).get(ORDERS).set('Cookie', sent).expect(200);
      expect(service.received.at(-1)?.headers.cookie).to.equal(received);
      await request(url).get('/api/v1/auth/me').set('Cookie', sent).expect(200);
      expect(platform.received.at(-1)?.headers.cookie).to.equal(sent);
    }
  });

  const getHeadersFrom = async (headers: OutgoingHttpHeaders, path = ORDERS) => {
    const { url } = await start((_req, res) => res.writeHead(200, headers).end());
    return (await request(url).get(path).expect(200)).headers;
  };

  it('send the headers that concern their response', async () => {
    const headers = {
      'accept-ranges': 'bytes',
      age: '1',
      allow: 'GET',
      'cache-control': 'private, max-age=60',
      'content-disposition': 'attachment; filename="a.csv"',
      'content-encoding': 'identity',
      'content-language': 'de',
      'content-location': `${ORDERS}/1`,
      'content-range': 'bytes 0-0/1',
      'content-type': 'text/csv',
      etag: '"1"',
      expires: 'Thu, 01 Jan 2026 00:00:00 GMT',
      'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
      link: `<${ORDERS}?page=2>; rel="next"`,
      location: `${ORDERS}/1`,
      ratelimit: '"shop";r=1;t=1',
      'retry-after': '1',
      'www-authenticate': 'Bearer realm="basic", DPoP',
      'x-total-count': '1',
    };
    expect(await getHeadersFrom(headers)).to.include(headers);
  });

  const ON_ORIGIN: Record<string, string> = {
    'accept-ch': 'Sec-CH-UA-Model',
    'access-control-allow-origin': '*',
    'alt-svc': 'h3="evil.example:443"',
    'clear-site-data': '"cookies"',
    'content-security-policy-report-only': 'report-uri https://evil.example',
    'critical-ch': 'Sec-CH-UA-Model',
    'cross-origin-opener-policy': 'same-origin',
    nel: '{"report_to":"x","max_age":31536000}',
    'origin-agent-cluster': '?1',
    'origin-trial': 'x',
    'public-key-pins': 'x',
    refresh: '0;url=https://evil.example',
    'report-to': '{"group":"x","max_age":31536000,"endpoints":[{"url":"https://evil.example"}]}',
    'reporting-endpoints': 'x="https://evil.example"',
    server: 'shop',
    'service-worker-allowed': '/',
    'set-login': 'logged-in',
    'speculation-rules': '"/rules.json"',
    'use-as-dictionary': 'match="/*"',
    'x-accel-redirect': '/secret',
    'x-content-security-policy': "script-src 'self'",
    'x-dns-prefetch-control': 'on',
    'x-permitted-cross-domain-policies': 'all',
    sourcemap: '/secret.map',
    'x-sendfile': '/secret',
    'x-sourcemap': '/secret.map',
    'x-webkit-csp': "script-src 'self'",
    'x-xss-protection': '0',
  };
  it('cannot affect the origin that they share with the platform', async () => {
    expect(await getHeadersFrom(ON_ORIGIN)).not.to.have.any.keys(Object.keys(ON_ORIGIN));
    for (const challenge of [
      'Basic realm="x"',
      'basic',
      'Bearer, BASIC realm="x"',
      'Digest realm="x"',
      'NTLM',
    ])
      expect(await getHeadersFrom({ 'WWW-Authenticate': challenge })).not.to.have.property(
        'www-authenticate',
      );
  });

  const POLICIES = {
    'Content-Security-Policy': "script-src 'self'; sandbox allow-scripts",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Permissions-Policy': 'camera=*',
    'Referrer-Policy': 'unsafe-url',
    'Strict-Transport-Security': 'max-age=0',
    'X-Content-Type-Options': 'none',
    'X-Frame-Options': 'ALLOWALL',
    Connection: 'close, content-security-policy, x-frame-options',
  };
  it('cannot weaken the security headers, and their pages are sandboxed', async () => {
    expect(await getHeadersFrom({ ...POLICIES, 'Content-Type': 'text/html' })).to.include({
      'content-security-policy':
        "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none';sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': PERMISSIONS_POLICY,
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  });

  const SET_COOKIES: [sent: string, received: string | undefined][] = [
    ['a=1', `a=1; Path=${ORDERS}`],
    ['a=1; Path=/; HttpOnly; Secure', `a=1; HttpOnly; Secure; Path=${ORDERS}`],
    [`a=1; Path=${ORDERS}/x; SameSite=Lax`, `a=1; SameSite=Lax; Path=${ORDERS}/x`],
    [`a=1; Path=${ORDERS}x`, `a=1; Path=${ORDERS}`],
    [`a=1; Path=${ORDERS}; PATH = /`, `a=1; Path=${ORDERS}`],
    ['a=1; Path=/; path', `a=1; Path=${ORDERS}`],
    ['a=1; Domain=example.com;\tdomain =example.com', `a=1; Path=${ORDERS}`],
    ['b=CustomerRefreshToken=2; Max-Age=60', `b=CustomerRefreshToken=2; Max-Age=60; Path=${ORDERS}`],
    ['CustomerRefreshTokens=3', `CustomerRefreshTokens=3; Path=${ORDERS}`],
    ['CustomerRefreshToken=t; Path=/; HttpOnly', undefined],
    [' EmployeeRefreshToken =t', undefined],
    ['=AdminRefreshToken=t', undefined],
  ];
  it('set cookies only for their paths, and none of the platform', async () => {
    for (const path of [ORDERS, `${ORDERS}/1?a=/`]) {
      const headers = await getHeadersFrom({ 'Set-Cookie': SET_COOKIES.map(([sent]) => sent) }, path);
      expect(headers['set-cookie']).to.deep.equal(SET_COOKIES.flatMap(([, received]) => received ?? []));
    }
    const rejected = SET_COOKIES.filter(([, received]) => !received).map(([sent]) => sent);
    expect(await getHeadersFrom({ 'Set-Cookie': rejected })).not.to.have.property('set-cookie');
  });

  it('set cookies of at most 4 kB together', async () => {
    const toCookie = (name: string, bytes: number) => `${name}=${'x'.repeat(bytes - name.length - 1)}`;
    const cookies = [toCookie('a', 4_097), toCookie('b', 4_000), toCookie('c', 97), toCookie('d', 96)];
    const { 'set-cookie': received = [] } = await getHeadersFrom({ 'Set-Cookie': cookies });
    expect([...received].map((cookie) => cookie[0])).to.deep.equal(['b', 'd']);
  });

  for (const [status, headers] of [
    ['101 Switching Protocols', 'Upgrade: x\r\nConnection: upgrade\r\n'],
    ['101 Switching Protocols', ''],
    ['102 Processing', ''],
    ['104 Upload Resumption Supported', ''],
    ['199 Unknown', ''],
  ])
    it(`get a 502 response to ${status} ${headers ? 'with Upgrade' : ''} at once`, async () => {
      const { url, gateway } = await start((req) => req.socket.write(`HTTP/1.1 ${status}\r\n${headers}\r\n`));
      // The timeout is 5 s, and its response would be 504.
      const response = await request(url).get(ORDERS);
      expect([response.status, response.body.code]).to.deep.equal([502, 'UPSTREAM_UNAVAILABLE']);
      expect(await gateway.metrics()).to.match(
        /upstream_errors_total\{[^}]*upstream="shop",reason="unavailable"[^}]*\} 1/,
      );
    });

  it('may send 100 and 103 before the response', async () => {
    const { url } = await start((req, res) => {
      req.socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n');
      res.end('done');
    });
    await request(url).get(ORDERS).expect(200, 'done');
  });

  it('do not make /internal reachable', async () => {
    const { service, platform, url } = await start();
    for (const path of ['/internal', '/internal/v1/introspect', '/%69nternal/v1/events', '/INTERNAL/v1'])
      expect((await request(url).get(path)).body.code, path).to.equal('ROUTE_NOT_FOUND');
    for (const path of ['/api/v1/internal/v1/events', '/api/v1/%69nternal'])
      expect((await request(url).get(path)).body.url, path).to.equal(path);
    expect([service.received.length, platform.received.length]).to.deep.equal([0, 2]);
  });

  it('have one metric series by name, and only the overall limit', async () => {
    const { gateway, url } = await start((_req, res) => res.writeHead(500).end());
    const response = await request(url).post(`${ORDERS}/auth/sign-in`).expect(500);
    expect(response.headers['ratelimit']).to.match(/^"all";/);
    const metrics = await gateway.metrics();
    expect(metrics).to.match(/http_request_duration_seconds_count\{[^}]*route="shop",status="500"[^}]*\} 1/);
    expect(metrics).to.match(/upstream_errors_total\{[^}]*upstream="shop",reason="timeout"[^}]*\} 0/);
  });

  it('are named in `degraded` while no instance responds, which leaves the gateway ready', async () => {
    const { service, url } = await start((_req, res) => res.writeHead(404).end());
    await request(url).get('/readyz').expect(200, { status: 'ready' });
    // The readiness of other services is not polled, because they need no /readyz.
    expect(service.received.map(({ url: target }) => target)).to.deep.equal(['/']);
    const degraded = { status: 'ready', degraded: ['shop'] };
    for (const gone of [await getUnreachableUrl(), (await startUpstream(() => undefined)).url]) {
      const { url: gatewayUrl } = await startGatewayToService(gone);
      const areOthersReady = async () =>
        (await request(gatewayUrl).get('/readyz')).body.degraded?.length === 1;
      await waitFor('the platform is ready', areOthersReady);
      await request(gatewayUrl).get('/readyz').expect(200, degraded);
    }
  });

  it('get their share when they close each connection', async () => {
    const closing = await startUpstream((_req, res) => res.setHeader('Connection', 'close').end('closing'));
    const keeping = await startUpstream((_req, res) => res.end('keeping'));
    const services = [{ name: 'shop', prefixes: [ORDERS], urls: [closing.url, keeping.url] }];
    const { url } = await startGatewayToService('', { services });
    const texts: string[] = [];
    for (const _ of range(4)) texts.push((await request(url).get(ORDERS)).text);
    expect(texts).to.deep.equal(['closing', 'keeping', 'closing', 'keeping']);
  });

  it('get a repeated PUT or DELETE only if nothing of the first one was sent', async () => {
    const statuses = async (urls: string[], method: 'put' | 'delete' | 'get') => {
      const services = [{ name: 'shop', prefixes: [ORDERS], urls }];
      const { url } = await startGatewayToService('', { services });
      return (await request(url)[method](ORDERS)).status;
    };
    const working = (await startUpstream()).url;
    const reset = (await startUpstream((req) => req.socket.resetAndDestroy())).url;
    const refusing = await getUnreachableUrl();
    for (const method of ['put', 'delete'] as const) {
      expect(await statuses([refusing, working], method)).to.equal(200);
      expect(await statuses([reset, working], method)).to.equal(502);
    }
    expect(await statuses([reset, working], 'get')).to.equal(200);
  });

  const GARBAGE = [
    '\0\xff\xfe not HTTP\r\n\r\n',
    'HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 099 X\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 1000 X\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100),
    'HTTP/1.1 200 OK\r\nVary: a b, @\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
    `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(3_000)}\r\n`,
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong',
    'HTTP/1.1 204 No Content\r\nContent-Length: 10\r\n\r\n0123456789',
    'HTTP/1.1 200 OK\r\nX: a\x01b\r\nTrailer: x\r\nKeep-Alive: x\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nConnection: vary, set-cookie, x-request-id\r\nContent-Length: 0\r\n\r\n',
  ];

  const startGarbage = () => {
    let sent = 0;
    return startUpstream(({ socket }) => {
      socket.write(GARBAGE[sent % GARBAGE.length] ?? '', 'latin1');
      sent += 1;
    });
  };

  const FAULTS: Record<string, () => Promise<string>> = {
    'does not respond': async () => (await startUpstream(() => undefined)).url,
    'refuses connections': getUnreachableUrl,
    'responds with garbage': async () => (await startGarbage()).url,
  };
  for (const [fault, startFaulty] of Object.entries(FAULTS))
    it(`does not affect the paths of the platform when a service ${fault}`, async () => {
      const { platform, url } = await startGatewayToService(await startFaulty(), {
        upstreamTimeoutSeconds: 2,
      });
      // These are more requests than one network may have in flight, with more bytes than its share of the
      // memory.
      const body = 'x'.repeat(102_400);
      const faulty = range(100).map((index) =>
        fetch(`${url}${ORDERS}/${index}`, { method: 'PUT', body }).then(
          (response) => response.status,
          () => 'broken off',
        ),
      );
      for (const index of range(20))
        for (const path of PLATFORM_PATHS) {
          const response = await request(url).post(`${path}?${index}`).send(body);
          expect(response.status, response.text.slice(0, 200)).to.equal(200);
        }
      expect(platform.received).to.have.length(40);
      const statuses = new Set(await Promise.all(faulty));
      expect([200, 204, 429, 502, 504, 'broken off']).to.include.members([...statuses]);
      await request(url)
        .get(PLATFORM_PATHS[0] ?? '')
        .expect(200);
    });
});
