import { randomUUID } from 'node:crypto';
import { listOperations, loadContract, type Operation } from '@platform/shared/testing/openapi-operations';
import { expectError, expectNoTrailingSlashes, send } from '@platform/shared/testing/responses';
import { createTestRedis } from '@platform/shared/testing/test-redis';
import { useRunning } from '@platform/shared/testing/use-running';
import { expect } from 'chai';
import { startAdminService, useAdminService } from '../testing/admin-service.ts';

const ID = randomUUID();
const JSON_TYPE = { 'Content-Type': 'application/json' };
const ALL = listOperations('admin', await loadContract('admin'));
const getParameters = ({ template }: Operation): string[] =>
  [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter((name) => name !== 'secret');
/** Operations on a record, and those of them that need no body. A secret is a word of a list. */
const ON_RECORDS = ALL.filter((operation) => getParameters(operation).length > 0);
const WITHOUT_BODY = ON_RECORDS.filter(({ method, body }) => method !== 'GET' && !body?.isRequired);

/** Operations on mails need the queue. */
const startWithQueue = async () => {
  const redis = await createTestRedis();
  const service = await startAdminService({ REDIS_URL: redis.url });
  const stop = async (): Promise<void> => {
    await service.stop();
    await redis.drop();
  };
  return { ...service, stop };
};

describe('admin API contract', () => {
  const service = useRunning(startWithQueue);
  const administrator = () => service().administrator;
  const call = ({ method, template, body }: Operation, id: string, sent?: object | string, headers = {}) => {
    const path = template
      .replace('/api/v1', '')
      .replace('{secret}', 'password')
      .replace(/\{\w+\}/g, id);
    const example = body?.isRequired ? (body.example as object) : undefined;
    return administrator().send(method, path, sent ?? example, headers);
  };

  it('returns 400 for a malformed id', async () => {
    const others = [ID.slice(1), `urn:uuid:${ID}`, `{${ID}}`, ID.replaceAll('-', ''), '%20', "'", `${ID}%00`];
    for (const id of ['1', 'abc', `${ID}0`, ...others])
      expectError(await administrator().getUser({ id }), 400, 'VALIDATION_FAILED', '/params/id');
  });

  for (const operation of ON_RECORDS)
    it(`returns 400 for a malformed id and 404 for an unknown one in ${operation.id}`, async () => {
      const malformed = await call(operation, 'abc');
      const paths = getParameters(operation).map((name) => `/params/${name}`);
      expectError(malformed, 400, 'VALIDATION_FAILED', ...paths);
      for (const id of [randomUUID(), randomUUID().toUpperCase()]) {
        const { status, code } = await call(operation, id);
        expect([status, code?.endsWith('_NOT_FOUND')]).to.deep.equal([404, true]);
        expect(code).not.to.equal('ROUTE_NOT_FOUND');
      }
    });

  for (const operation of WITHOUT_BODY)
    it(`accepts ${operation.id} without a body or with {}, and rejects an undeclared field`, async () => {
      for (const body of [undefined, {}, '{}', ' { } '])
        expect((await call(operation, ID, body, typeof body === 'string' ? JSON_TYPE : {})).status).to.equal(
          404,
        );
      expect((await call(operation, ID, undefined, JSON_TYPE)).status).to.equal(404);
      const undeclared = await call(operation, ID, { reason: 'spam' });
      expectError(undeclared, 400, 'VALIDATION_FAILED', '/body/reason');
    });

  it('returns 400 for an undeclared body of a GET, with the name of its field', async () => {
    expectError(await administrator().listUsers({ body: { foo: 1 } }), 400, 'VALIDATION_FAILED', '/body/foo');
    for (const body of ['[]', '1', '{'])
      expectError(await administrator().listUsers({ body, headers: JSON_TYPE }), 400, 'VALIDATION_FAILED');
    const form = await administrator().listUsers({ body: 'a=b', headers: { 'Content-Type': 'text/plain' } });
    expectError(form, 415, 'UNSUPPORTED_MEDIA_TYPE');
    expect((await administrator().listUsers({ body: {} })).status).to.equal(200);
  });

  it('returns 404 for an unknown route before checking the token', async () => {
    for (const path of [
      '/nothing',
      '/users/me/me',
      '/administrator',
      '/administrator/users',
      '/contact',
      '/Users',
    ])
      expectError(await service().withToken().send('GET', path), 404, 'ROUTE_NOT_FOUND');
  });

  it('returns 405 with Allow for an unknown method before checking the token', async () => {
    const cases = [
      ['POST', '/users', 'GET'],
      ['PATCH', `/users/${ID}`, 'DELETE, GET'],
      ['PATCH', '/users/me', 'GET'],
      ['GET', `/users/${ID}/block`, 'PATCH'],
      ['POST', `/users/${ID}/block`, 'PATCH'],
      ['POST', '/projects', 'GET'],
      ['POST', `/projects/${ID}`, 'DELETE, GET, PATCH'],
      ['GET', '/contact/lead', 'POST'],
      ['POST', '/administrator/teams', 'GET'],
      ['DELETE', '/administrator/audit-log', 'GET'],
      ['PATCH', `/administrator/teams/${ID}`, 'GET'],
      ['POST', '/', 'GET'],
    ] as const;
    for (const [method, path, allow] of cases) {
      const response = await service().withToken().send(method, path);
      expectError(response, 405, 'METHOD_NOT_ALLOWED');
      const allowed = String(response.headers['allow']).split(', ').sort().join(', ');
      expect(allowed, `${method} ${path}`).to.equal(allow);
    }
  });

  it('returns 400 for invalid percent-encoding in the path', async () => {
    for (const { send } of [administrator(), service().withToken()])
      for (const id of ['%zz', '%ff'])
        expectError(await send('GET', `/users/${id}`), 400, 'VALIDATION_FAILED', '/params/id');
    expectError(await administrator().send('GET', '/nowhere/%ff'), 404, 'ROUTE_NOT_FOUND');
  });

  it('sends Cache-Control: no-store with personal data', async () => {
    expect((await administrator().listUsers()).headers['cache-control']).to.equal('no-store');
  });
});

describe('input edge cases', () => {
  const service = useAdminService();
  const admin = () => service().administrator;

  it('returns 200 with a body for conditional requests', async () => {
    for (const name of ['If-None-Match', 'If-Modified-Since']) {
      const value = name === 'If-None-Match' ? '*' : new Date().toUTCString();
      const { status, body } = await admin().currentAdministrator({ headers: { [name]: value } });
      expect({ status, id: body.id }).to.deep.equal({ status: 200, id: admin().id });
    }
  });

  for (const [name, text] of [
    ['NUL', 'a\0b'],
    ['a lone surrogate', 'a\ud800b'],
    ['a lone low surrogate', '\udc00'],
  ] as const)
    it(`returns 400 with the name of a field that contains ${name}`, async () => {
      const id = await service().records.project();
      const edit = await admin().editProject({ id, body: { title: `Shop ${text}` } });
      expectError(edit, 400, 'VALIDATION_FAILED', '/body/title');
      const support = { email: 'ada@example.com', subject: 'Help', message: text };
      const form = await service().withToken().submitSupportRequest({ body: support });
      expectError(form, 400, 'VALIDATION_FAILED', '/body/message');
    });

  it('accepts any characters in targetId of the audit log', async () => {
    const { status } = await admin().send(
      'GET',
      "/administrator/audit-log?targetId=it's+(not)+a+UUID:/?@!$*,;",
    );
    expect(status).to.equal(200);
  });
});

describe('trailing slash at admin-service', () => {
  const service = useAdminService();
  const admin = () => service().administrator;

  it('returns 404 for every operation and every method', () =>
    expectNoTrailingSlashes(service().url, new URL(import.meta.resolve('@platform/openapi/admin.yaml'))));

  it('returns 404 instead of the list when the id is empty', async () => {
    for (const path of ['/users/', '/projects/', '/administrator/teams/', '/administrator/audit-log/'])
      expectError(await admin().send('GET', path), 404, 'ROUTE_NOT_FOUND');
  });

  it('serves /api/v1 with one, and returns 405 for other methods', async () => {
    expect((await send(service().url, 'GET', '/api/v1/')).status).to.equal(200);
    for (const path of ['/api/v1', '/api/v1/'])
      expectError(await send(service().url, 'PUT', path), 405, 'METHOD_NOT_ALLOWED');
  });

  it('serves the docs page with one', async () => {
    for (const path of ['/api/v1/docs', '/api/v1/docs/'])
      expect((await fetch(service().url + path)).status).to.equal(200);
  });

  it('TRACE returns 405 with Allow, and 404 on an unknown path', async () => {
    const known = await send(service().url, 'TRACE', '/api/v1/users');
    expectError(known, 405, 'METHOD_NOT_ALLOWED');
    expect(known.headers['allow']).to.equal('GET');
    expectError(await send(service().url, 'TRACE', '/api/v1/nowhere'), 404, 'ROUTE_NOT_FOUND');
  });
});
