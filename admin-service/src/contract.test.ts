import { randomUUID } from 'node:crypto';
import { expectError, expectNoTrailingSlashes, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAdministrator, useAdminService } from '../testing/test-admin-service.ts';

const ID = randomUUID();
/** Routes with an id in the path, and the name of that parameter. */
const ROUTES_WITH_ID = [
  ['get', '/users/{}', 'id'],
  ['patch', '/users/{}/block', 'id'],
  ['patch', '/users/{}/unblock', 'id'],
  ['get', '/projects/{}', 'id'],
  ['patch', '/projects/{}', 'id'],
  ['delete', '/projects/{}', 'id'],
  ['patch', '/projects/{}/restore', 'id'],
  ['get', '/administrator/teams/{}', 'teamId'],
  ['post', '/administrator/teams/{}/verify', 'teamId'],
] as const;
/** Routes without a body, and the error code that they return for an unknown id. */
const ROUTES_WITHOUT_BODY = [
  ['patch', `/users/${ID}/block`, 'USER_NOT_FOUND'],
  ['patch', `/users/${ID}/unblock`, 'USER_NOT_FOUND'],
  ['delete', `/projects/${ID}`, 'PROJECT_NOT_FOUND'],
  ['patch', `/projects/${ID}/restore`, 'PROJECT_NOT_FOUND'],
  ['post', `/administrator/teams/${ID}/verify`, 'TEAM_NOT_FOUND'],
] as const;
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('admin API contract', () => {
  const service = useAdminService();
  const administrator = useAdministrator(service);
  const api = () => administrator().api;

  for (const [method, path, name] of ROUTES_WITH_ID) {
    it(`returns 400 for a malformed id in ${method.toUpperCase()} ${path}`, async () => {
      const body = method === 'patch' && path === '/projects/{}' ? {} : undefined;
      const malformed = [
        '1',
        'abc',
        `${ID}0`,
        ID.slice(1),
        `urn:uuid:${ID}`,
        `{${ID}}`,
        ID.replaceAll('-', ''),
        '%20',
        "'",
        `${ID}%00`,
      ];
      for (const id of malformed) {
        const response = await api()[method](path.replace('{}', id), body);
        expectError(response, 400, 'VALIDATION_FAILED', `/params/${name}`);
      }
    });

    it(`returns 404 for an unknown id in ${method.toUpperCase()} ${path}, in any letter case`, async () => {
      const body = method === 'patch' && path === '/projects/{}' ? {} : undefined;
      for (const id of [randomUUID(), randomUUID().toUpperCase()]) {
        const { status, body: error } = await api()[method](path.replace('{}', id), body);
        expect(status).to.equal(404);
        expect(error.code).to.match(/^(USER|PROJECT|TEAM)_NOT_FOUND$/);
      }
    });
  }

  for (const [method, path, code] of ROUTES_WITHOUT_BODY) {
    const name = `${method.toUpperCase()} ${path.replace(ID, '{id}')}`;

    it(`accepts ${name} without a body or with {}`, async () => {
      for (const body of [undefined, {}, '{}', ' { } ']) {
        const headers = typeof body === 'string' ? JSON_TYPE : {};
        expectError(await api()[method](path, body, headers), 404, code);
      }
      expectError(await api()[method](path, undefined, JSON_TYPE), 404, code);
    });

    it(`returns 400 for an undeclared field in ${name}`, async () => {
      expectError(await api()[method](path, { reason: 'spam' }), 400, 'VALIDATION_FAILED', '/body/reason');
      expectError(
        await api()[method](path, { isBlocked: false }),
        400,
        'VALIDATION_FAILED',
        '/body/isBlocked',
      );
    });
  }

  it('returns 400 for an undeclared query parameter, with its name', async () => {
    for (const query of ['foo=1', 'foo', 'deleted=true'])
      expectError(
        await api().get(`/users?${query}`),
        400,
        'VALIDATION_FAILED',
        `/query/${query.split('=')[0]}`,
      );
  });

  it('returns 400 for an undeclared body of a GET, with the name of its field', async () => {
    expectError(await api().get('/users', { foo: 1 }), 400, 'VALIDATION_FAILED', '/body/foo');
    for (const body of ['[]', '1', '{'])
      expectError(await api().get('/users', body, JSON_TYPE), 400, 'VALIDATION_FAILED');
    const form = await api().get('/users', 'a=b', { 'Content-Type': 'text/plain' });
    expectError(form, 415, 'UNSUPPORTED_MEDIA_TYPE');
    expect((await api().get('/users', {})).status).to.equal(200);
  });

  it('returns 404 for the removed project status route, with or without a token', async () => {
    const { records } = service();
    const id = await records.project();
    for (const caller of [api(), service().api()])
      for (const body of [{ status: 'PUBLISHED' }, {}, undefined])
        expectError(await caller.patch(`/projects/${id}/status`, body), 404, 'ROUTE_NOT_FOUND');
    expect((await api().get(`/projects/${id}`)).body.status).to.equal('DRAFT');
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
      expectError(await service().api().get(path), 404, 'ROUTE_NOT_FOUND');
  });

  it('returns 405 with Allow for an unknown method before checking the token', async () => {
    const cases = [
      ['post', '/users', 'GET'],
      ['delete', `/users/${ID}`, 'GET'],
      ['patch', '/users/me', 'GET'],
      ['get', `/users/${ID}/block`, 'PATCH'],
      ['post', `/users/${ID}/block`, 'PATCH'],
      ['post', '/projects', 'GET'],
      ['post', `/projects/${ID}`, 'DELETE, GET, PATCH'],
      ['get', '/contact/lead', 'POST'],
      ['post', '/administrator/teams', 'GET'],
      ['delete', '/administrator/audit-log', 'GET'],
      ['patch', `/administrator/teams/${ID}`, 'GET'],
      ['post', '/', 'GET'],
    ] as const;
    for (const [method, path, allow] of cases) {
      const response = await service().api()[method](path);
      expectError(response, 405, 'METHOD_NOT_ALLOWED');
      const allowed = String(response.headers['allow']).split(', ').sort().join(', ');
      expect(allowed, `${method} ${path}`).to.equal(allow);
    }
  });

  it('returns 400 for invalid percent-encoding in the path', async () => {
    expectError(await api().get('/users/%zz'), 400, 'VALIDATION_FAILED');
  });

  it('sends Cache-Control: no-store with personal data', async () => {
    expect((await api().get('/users')).headers['cache-control']).to.equal('no-store');
  });
});

/** Strings that parse to non-finite numbers. */
const NON_FINITE = ['1e400', '-1e400', 'Infinity', '-Infinity', '9'.repeat(400)];

describe('input edge cases', () => {
  const service = useAdminService();
  const admin = useAdministrator(service);

  it('returns 400 for a number that is not finite', async () => {
    for (const value of NON_FINITE)
      for (const name of ['page', 'perPage']) {
        const response = await admin().api.get(`/projects?${name}=${value}`);
        expectError(response, 400, 'VALIDATION_FAILED', `/query/${name}`);
      }
  });

  it('returns 200 with a body for conditional requests', async () => {
    for (const name of ['If-None-Match', 'If-Modified-Since']) {
      const value = name === 'If-None-Match' ? '*' : new Date().toUTCString();
      const { status, body } = await admin().api.get('/users/me', undefined, { [name]: value });
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
      const edit = await admin().api.patch(`/projects/${id}`, { title: `Shop ${text}` });
      expectError(edit, 400, 'VALIDATION_FAILED', '/body/title');
      const support = { email: 'ada@example.com', subject: 'Help', message: text };
      const form = await service().api().post('/contact/support', support);
      expectError(form, 400, 'VALIDATION_FAILED', '/body/message');
    });

  it('returns 400 with the name of a query parameter that contains NUL', async () => {
    for (const [path, name] of [
      ['/users', 'search'],
      ['/projects', 'search'],
      ['/administrator/audit-log', 'targetId'],
    ])
      expectError(await admin().api.get(`${path}?${name}=a%00b`), 400, 'VALIDATION_FAILED', `/query/${name}`);
  });

  it('accepts any characters in targetId of the audit log', async () => {
    const { status } = await admin().api.get("/administrator/audit-log?targetId=it's+(not)+a+UUID:/?@!$*,;");
    expect(status).to.equal(200);
  });
});

describe('trailing slash at admin-service', () => {
  const service = useAdminService();
  const admin = useAdministrator(service);

  it('returns 404 for every operation and every method', () =>
    expectNoTrailingSlashes(service().url, new URL(import.meta.resolve('@platform/openapi/admin.yaml'))));

  it('returns 404 instead of the list when the id is empty', async () => {
    for (const path of ['/users/', '/projects/', '/administrator/teams/', '/administrator/audit-log/'])
      expectError(await admin().api.get(path), 404, 'ROUTE_NOT_FOUND');
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
