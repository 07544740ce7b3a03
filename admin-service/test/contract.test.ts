import { randomUUID } from 'node:crypto';
import { PLATFORM_ROLES, type PlatformRole } from '@platform/shared/testing/auth-client';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAdministrator, useAdminService } from './admin-service.ts';

const ID = randomUUID();
/** The routes with an id, and what is called the id there. */
const WITH_ID = [
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
/** The routes that take no body, with the answer to an id that is nobody's. */
const WITHOUT_BODY = [
  ['patch', `/users/${ID}/block`, 'USER_NOT_FOUND'],
  ['patch', `/users/${ID}/unblock`, 'USER_NOT_FOUND'],
  ['delete', `/projects/${ID}`, 'PROJECT_NOT_FOUND'],
  ['patch', `/projects/${ID}/restore`, 'PROJECT_NOT_FOUND'],
  ['post', `/administrator/teams/${ID}/verify`, 'TEAM_NOT_FOUND'],
] as const;
const READING = [
  '/operator/me',
  '/administrator/me',
  '/arbiter/me',
  '/users',
  '/users/me',
  `/users/${ID}`,
  '/projects',
  `/projects/${ID}`,
  '/administrator/teams',
  `/administrator/teams/${ID}`,
];

const JSON_TYPE = { 'Content-Type': 'application/json' };
const roleFor = (path: string): PlatformRole =>
  PLATFORM_ROLES.find((role) => path === `/${role.toLowerCase()}/me`) ?? 'ADMIN';

describe('The contract of the back-office', () => {
  const service = useAdminService();
  const administrator = useAdministrator(service);
  const api = () => administrator().api;

  for (const [method, path, name] of WITH_ID) {
    it(`When the id in ${method.toUpperCase()} ${path} is malformed, then 400 that names it`, async () => {
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
        const answer = await api()[method](path.replace('{}', id), body);
        expectError(answer, 400, 'VALIDATION_FAILED', `/params/${name}`);
      }
    });

    it(`When the id in ${method.toUpperCase()} ${path} is nobody's, in whichever letter case, then 404`, async () => {
      const body = method === 'patch' && path === '/projects/{}' ? {} : undefined;
      for (const id of [randomUUID(), randomUUID().toUpperCase()]) {
        const { status, body: answer } = await api()[method](path.replace('{}', id), body);
        expect(status).to.equal(404);
        expect(answer.code).to.match(/^(USER|PROJECT|TEAM)_NOT_FOUND$/);
      }
    });
  }

  for (const [method, path, code] of WITHOUT_BODY) {
    const name = `${method.toUpperCase()} ${path.replace(ID, '{id}')}`;

    it(`When ${name} is sent no body, or {}, then it is fine`, async () => {
      for (const body of [undefined, {}, '{}', ' { } ']) {
        const headers = typeof body === 'string' ? JSON_TYPE : {};
        expectError(await api()[method](path, body, headers), 404, code);
      }
      expectError(await api()[method](path, undefined, JSON_TYPE), 404, code);
    });

    it(`When ${name} is sent an undeclared field, then 400 that names it`, async () => {
      expectError(await api()[method](path, { reason: 'spam' }), 400, 'VALIDATION_FAILED', '/body/reason');
      expectError(
        await api()[method](path, { isBlocked: false }),
        400,
        'VALIDATION_FAILED',
        '/body/isBlocked',
      );
    });

    it(`When ${name} is sent another JSON value than an object, then 400`, async () => {
      for (const body of ['null', '[]', '[{}]', '"text"', '1', 'true', '{', '{"a":}'])
        expectError(await api()[method](path, body, JSON_TYPE), 400, 'VALIDATION_FAILED');
    });

    it(`When ${name} is sent something else than JSON, then 415`, async () => {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml'])
        expectError(
          await api()[method](path, 'a=b', { 'Content-Type': type }),
          415,
          'UNSUPPORTED_MEDIA_TYPE',
        );
    });

    it(`When ${name} is sent an undeclared query parameter, then 400 that names it`, async () => {
      expectError(await api()[method](`${path}?force=true`), 400, 'VALIDATION_FAILED', '/query/force');
    });
  }

  for (const path of READING) {
    const name = path.replace(ID, '{id}');
    it(`When GET ${name} is sent an undeclared query parameter, then 400 that names it`, async () => {
      const caller = await service().member(roleFor(path));
      for (const query of ['foo=1', 'foo', 'deleted=true'])
        expectError(
          await caller.api.get(`${path}?${query}`),
          400,
          'VALIDATION_FAILED',
          `/query/${query.split('=')[0]}`,
        );
    });

    it(`When GET ${name} is sent a body with an undeclared field, then 400`, async () => {
      const caller = await service().member(roleFor(path));
      expectError(await caller.api.get(path, { foo: 1 }), 400, 'VALIDATION_FAILED', '/body/foo');
      for (const body of ['[]', '1', '{'])
        expectError(await caller.api.get(path, body, JSON_TYPE), 400, 'VALIDATION_FAILED');
      expectError(
        await caller.api.get(path, 'a=b', { 'Content-Type': 'text/plain' }),
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      );
      expect((await caller.api.get(path, {})).status).to.equal((await caller.api.get(path)).status);
    });
  }

  it('When the greeting is asked for with an undeclared query parameter, then 400', async () => {
    expectError(await service().api().get('/?foo=1'), 400, 'VALIDATION_FAILED', '/query/foo');
  });

  it('When the removed route for a project’s status is called, then 404, with a token or without', async () => {
    const { records } = service();
    const id = await records.project();
    for (const caller of [api(), service().api()])
      for (const body of [{ status: 'PUBLISHED' }, {}, undefined])
        expectError(await caller.patch(`/projects/${id}/status`, body), 404, 'ROUTE_NOT_FOUND');
    expect((await api().get(`/projects/${id}`)).body.status).to.equal('DRAFT');
  });

  it('When there is no such route, then 404 before the token is looked at', async () => {
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

  it('When the path is known and the method is not, then 405 with Allow, before the token is looked at', async () => {
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
      ['patch', `/administrator/teams/${ID}`, 'GET'],
      ['post', '/', 'GET'],
    ] as const;
    for (const [method, path, allow] of cases) {
      const answer = await service().api()[method](path);
      expectError(answer, 405, 'METHOD_NOT_ALLOWED');
      const allowed = String(answer.headers['allow']).split(', ').sort().join(', ');
      expect(allowed, `${method} ${path}`).to.equal(allow);
    }
  });

  it('When the path has a broken percent sign, then 400', async () => {
    expectError(await api().get('/users/%zz'), 400, 'VALIDATION_FAILED');
  });

  it('When an answer holds personal data, then it is never kept by a cache', async () => {
    for (const path of ['/users', '/users/me', '/projects', '/administrator/teams', '/administrator/me'])
      expect((await api().get(path)).headers['cache-control'], path).to.equal('no-store');
  });
});
