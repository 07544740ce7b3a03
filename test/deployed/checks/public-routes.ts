import { listOperations, loadContract } from '@platform/shared/testing/openapi-operations';
import { type Contract, compareVersions, type PublishedDocument } from '../contract.ts';
import type { Checks, Section } from '../probe.ts';

const HEALTH = { '/healthz': 'ok', '/readyz': 'ready' };
/** The response must not contain an address or a version. */
const READY = /^\{"status":"[a-z]+"(?:,"degraded":\[["a-z,-]*\])?\}$/;
const PAGES = ['/api/', '/api/v1/docs/'];
/** Paths that only the ports of the services serve. */
const PRIVATE = [
  '/metrics',
  '/internal/v1/openapi.json',
  '/internal/v1/introspect',
  '/internal/v1/events',
  '/internal/v1/mails/1',
];

const documentCheck = ({ name, path, document }: PublishedDocument): Checks => ({
  async [`GET ${path}: ${document.info.title} ${document.info.version}`]({ contract, call, expect, check }) {
    const ids = listOperations(name, document).map(({ id }) => id);
    const duplicate = ids.find((id, index) => ids.indexOf(id) !== index);
    check(duplicate === undefined, `two operations have the id ${duplicate}`);
    const checkout = await loadContract(name);
    const isOlder = compareVersions(document.info.version, checkout.info.version) < 0;
    for (const { id } of isOlder ? [] : listOperations(name, checkout))
      check(ids.includes(id), `it lacks the operation ${id} of this checkout`);
    for (const { id } of contract.operations.filter((operation) => operation.name.startsWith(`${name}/`)))
      check(ids.includes(id), `it lacks the operation ${id} of the contract`);
    await expect(call({ path }), 200);
  },
});

const jointDocumentCheck: Checks = {
  async 'GET /openapi.json: the operations of both documents'({ contract, call, expect, check }) {
    const response = await expect(call({ path: '/openapi.json' }), 200);
    const items = Object.values<object>(response.body.paths).flatMap((item) => Object.values(item));
    const { length } = items.filter((node) => 'operationId' in node);
    const expected = contract.documents.flatMap(({ name, document }) =>
      listOperations(name, document),
    ).length;
    check(length === expected, `${length} instead of ${expected} operations`, response);
  },
};

const RATE_REQUESTS = 5;

const rateLimitCheck: Checks = {
  async 'RateLimit: it counts, within the quota and the window of RateLimit-Policy'({ call, expect, check }) {
    const seen = new Set<number>();
    for (let count = 0; count < RATE_REQUESTS; count += 1) {
      const { headers } = await expect(call({ path: '/api/v1/' }), 200);
      const readNumbers = (name: string) => String(headers[name]).match(/\d+/g)?.map(Number) ?? [];
      const [remaining, seconds = 0] = readNumbers('ratelimit');
      const [quota, window = 0] = readNumbers('ratelimit-policy');
      if (remaining === undefined || quota === undefined) return; // a rule for every response reports it
      check(remaining <= quota && seconds <= window, 'more than RateLimit-Policy');
      seen.add(remaining);
    }
    check(seen.size > 1, `${RATE_REQUESTS} requests have the same RateLimit`);
  },
};

const healthCheck = ([path, status]: [string, string]): Checks => ({
  async [`GET ${path}: ${status}`]({ call, expect, check }) {
    const response = await expect(call({ path }), 200);
    const isExpected = READY.test(response.text) && response.body.status === status;
    check(isExpected, `the body is not ${status} and names of parts alone`, response);
  },
});

const pageCheck = (path: string): Checks => ({
  async [`GET ${path}: a page with all of its files`]({ call, expect, check }) {
    const page = await expect(call({ path }), 200);
    check(/^text\/html/.test(String(page.headers['content-type'])), 'it is not text/html', page);
    const files = [...page.text.matchAll(/(?:src|href)="(?:\.\/)?([\w.-]+)"/g)];
    check(files.length > 0, 'it names no files', page);
    for (const [, name] of files) await expect(call({ path: path + name }), 200);
    const redirect = await call({ path: path.slice(0, -1) });
    check(redirect.headers.location === path, `it does not redirect to ${path}`, redirect);
  },
});

const botCheck: Checks = {
  async 'GET /api/v1/auth/bot-check: a challenge, or 404 where bots are not checked'({
    call,
    expect,
    check,
  }) {
    const response = await call({ path: '/api/v1/auth/bot-check' });
    if (response.status === 404) return;
    const { body } = await expect(response, 200);
    const seconds = body.parameters.expiresAt - Date.now() / 1_000;
    check(seconds > 200 && seconds < 400, 'it does not expire after 300 s', response);
  },
};

const privateCheck = (path: string): Checks => ({
  [`GET ${path}: not public`]: ({ call, expect }) => expect(call({ path }), 404, 'ROUTE_NOT_FOUND'),
});

export const publicRouteSections = ({ documents }: Contract): Section[] => [
  { title: 'OpenAPI documents', checks: () => [...documents.map(documentCheck), jointDocumentCheck] },
  {
    title: 'Public routes',
    checks: () => [
      rateLimitCheck,
      botCheck,
      ...Object.entries(HEALTH).map(healthCheck),
      ...PAGES.map(pageCheck),
      ...PRIVATE.map(privateCheck),
    ],
  },
];
