import type { HttpRequest } from '@platform/shared/testing/http-client';
import { listOperations, loadContract } from '../../openapi-operations.ts';
import { type Contract, compareVersions } from '../contract.ts';
import type { Check, Probe, Section } from '../probe.ts';

const HEALTH: readonly [path: string, status: string][] = [
  ['/healthz', 'ok'],
  ['/readyz', 'ready'],
];
/** Not an address or a version. */
const READY = /^\{"status":"[a-z]+"(?:,"degraded":\[["a-z,-]*\])?\}$/;
const PAGES = ['/api/', '/api/v1/docs/'];
/** Of the services' own ports. */
const PRIVATE = ['/metrics', '/internal/v1/openapi.json', '/internal/v1/introspect', '/internal/v1/events'];
/** The security headers of every response, data, pages and errors. */
const SECURITY_HEADERS: readonly [name: string, pattern: RegExp][] = [
  ['Content-Security-Policy', /^(?!.*'unsafe-)default-src '(?:none|self)';.*frame-ancestors 'none'/],
  ['X-Content-Type-Options', /^nosniff$/],
  ['X-Frame-Options', /^(?:DENY|SAMEORIGIN)$/],
  ['Referrer-Policy', /^no-referrer$/],
  ['Cross-Origin-Resource-Policy', /^same-origin$/],
  ['Strict-Transport-Security', /^max-age=[1-9]\d{6,}/],
];

const documentChecks = ({ documents, operations }: Contract): Check[] => [
  ...documents.map(({ name, path, document }) => ({
    name: `GET ${path}: OpenAPI ${document.openapi}, ${document.info.title} ${document.info.version}`,
    run: async ({ call, check }: Probe) => {
      const own = operations.filter((operation) => operation.name.startsWith(`${name}/`));
      const ids = own.map(({ id }) => id);
      const duplicate = ids.find((id, index) => ids.indexOf(id) !== index);
      const expected = await loadContract(name);
      const isOlder = compareVersions(document.info.version, expected.info.version) < 0;
      for (const { id } of isOlder ? [] : listOperations(name, expected))
        check(ids.includes(id), `it lacks the operation ${id} of this checkout`);
      check(own.length > 0, 'it has no operations');
      check(duplicate === undefined, `two operations have the id ${duplicate}`);
      await call({ path });
    },
  })),
  {
    name: 'GET /openapi.json: the operations of both documents',
    run: async ({ call, expect, check }) => {
      const response = await call({ path: '/openapi.json' });
      expect(response, 200);
      const paths = Object.values(Object(response.body).paths ?? {}) as object[];
      const count = paths
        .flatMap((item) => Object.values(item))
        .filter((node) => 'operationId' in node).length;
      check(count === operations.length, `${count} instead of ${operations.length} operations`, response);
    },
  },
];

const RATE_REQUESTS = 5;

const rateLimitCheck: Check = {
  name: 'RateLimit: it counts, and names at most the quota and the window of RateLimit-Policy',
  run: async ({ call, check }) => {
    const seen = new Set<string>();
    for (let count = 0; count < RATE_REQUESTS; count += 1) {
      const response = await call({ path: '/api/v1' });
      const { ratelimit, 'ratelimit-policy': policy } = response.headers;
      const [remaining = 0, seconds = 0] = String(ratelimit).match(/\d+/g)?.map(Number) ?? [];
      const [quota = 0, window = 0] = String(policy).match(/\d+/g)?.map(Number) ?? [];
      check(remaining <= quota && seconds <= window, 'more than RateLimit-Policy', response);
      seen.add(String(remaining));
    }
    check(seen.size > 1, `${RATE_REQUESTS} requests have the same RateLimit`);
  },
};

const routeChecks: readonly Check[] = [
  rateLimitCheck,
  {
    name: 'GET /api/v1 and /api/v1/: the greeting',
    run: async ({ call, expect }) => {
      for (const path of ['/api/v1', '/api/v1/']) expect(await call({ path }), 200);
    },
  },
  ...HEALTH.map(([path, status]) => ({
    name: `GET ${path}: ${status}`,
    run: async ({ call, expect, check }: Probe) => {
      const response = await call({ path });
      expect(response, 200);
      const isExpected = READY.test(response.text) && response.body?.status === status;
      check(isExpected, `the body is not ${status} and names of parts alone`, response);
      check(response.headers['cache-control'] === 'no-store', 'Cache-Control is not no-store', response);
    },
  })),
  ...PAGES.map((path) => ({
    name: `GET ${path}: a page with all of its files`,
    run: async ({ call, expect, check }: Probe) => {
      const page = await call({ path });
      expect(page, 200);
      check(/^text\/html/.test(String(page.headers['content-type'])), 'it is not text/html', page);
      const files = [...page.text.matchAll(/(?:src|href)="(?:\.\/)?([\w.-]+)"/g)].map(
        ([, name = '']) => name,
      );
      check(files.length > 0, 'it names no files', page);
      for (const name of files) expect(await call({ path: path + name }), 200);
      const redirect = await call({ path: path.slice(0, -1) });
      check(redirect.headers.location === path, `it does not redirect to ${path}`, redirect);
    },
  })),
  ...PRIVATE.map((path) => ({
    name: `GET ${path}: not public`,
    run: async ({ call, expect }: Probe) => expect(await call({ path }), 404, 'ROUTE_NOT_FOUND'),
  })),
];

const headerChecks = (isHttps: boolean): Check[] => {
  const requests: HttpRequest[] = ['/api/v1', '/api/v1/users', '/check-deployed', '/api/'].map((path) => ({
    path,
  }));
  return SECURITY_HEADERS.filter(([name]) => isHttps || !name.startsWith('Strict')).map(
    ([name, pattern]) => ({
      name: `${name} on data, errors and pages`,
      run: async ({ call, check }) => {
        for (const request of requests) {
          const response = await call(request);
          const value = String(response.headers[name.toLowerCase()] ?? 'missing');
          check(pattern.test(value), `it is ${value}`, response);
        }
      },
    }),
  );
};

export const publicRouteSections = (contract: Contract, url: string): Section[] => [
  { title: 'OpenAPI documents', checks: () => documentChecks(contract) },
  { title: 'Public routes', checks: () => routeChecks },
  { title: 'Security headers', checks: () => headerChecks(url.startsWith('https:')) },
];
