import { randomUUID } from 'node:crypto';
import { PLATFORM_ROLES } from '@platform/shared/testing/auth-client';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import jsonwebtoken from 'jsonwebtoken';
import { ACCESS_SECRET, useAdminService } from './admin-service.ts';

const WORKSPACES = { OPERATOR: '/operator/me', ADMIN: '/administrator/me', ARBITER: '/arbiter/me' } as const;
/** Where only administrators are at home; one route of each feature. */
const ADMINISTRATORS_ROUTES = [
  '/users',
  '/users/me',
  '/projects',
  '/administrator/teams',
  '/administrator/me',
];

describe('The workspaces', () => {
  const service = useAdminService();

  for (const role of PLATFORM_ROLES) {
    it(`When an ${role} asks who is signed in, then the answer has exactly three fields`, async () => {
      const member = await service().member(role);
      const answer = await member.api.get(WORKSPACES[role]);
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.body).to.deep.equal({ userId: member.id, email: member.email, platformRole: role });
    });

    for (const other of PLATFORM_ROLES.filter((name) => name !== role))
      it(`When an ${role} calls the workspace of ${other}, then 403`, async () => {
        const { api } = await service().member(role);
        expectError(await api.get(WORKSPACES[other]), 403, 'WORKSPACE_FORBIDDEN');
      });
  }

  for (const role of ['OPERATOR', 'ARBITER'] as const)
    it(`When an ${role} calls users, projects or the administrator's routes, then 403 on each`, async () => {
      const { api } = await service().member(role);
      for (const path of ADMINISTRATORS_ROUTES) expectError(await api.get(path), 403, 'WORKSPACE_FORBIDDEN');
    });

  it('When the workspace is wrong, then that is the answer whatever the request is like', async () => {
    const { api } = await service().member('OPERATOR');
    expectError(await api.get('/users?page=0&nonsense=1'), 403, 'WORKSPACE_FORBIDDEN');
    expectError(await api.get('/users/no-uuid'), 403, 'WORKSPACE_FORBIDDEN');
    expectError(
      await api.patch(`/projects/${randomUUID()}`, { status: 'DRAFT' }),
      403,
      'WORKSPACE_FORBIDDEN',
    );
    expectError(await api.patch(`/projects/${randomUUID()}`, '{'), 403, 'WORKSPACE_FORBIDDEN');
  });

  describe('workspace guard with a stored role that differs from the token', () => {
    it('closes every workspace at the next request when the stored role is another', async () => {
      const { id, api } = await service().member('ADMIN');
      expect((await api.get('/administrator/me')).status).to.equal(200);
      await service().records.removeRoles(id);
      await service().records.giveRole(id, 'ARBITER');
      for (const path of [...ADMINISTRATORS_ROUTES, '/arbiter/me'])
        expectError(await api.get(path), 403, 'WORKSPACE_FORBIDDEN');
    });

    it('closes every route of an administrator whose role was removed, at the next request', async () => {
      const { id, api } = await service().member('ADMIN');
      const victim = await service().records.user(['CUSTOMER']);
      const projectId = await service().records.project();
      await service().records.removeRoles(id);
      for (const path of ADMINISTRATORS_ROUTES)
        expectError(await api.get(path), 403, 'PLATFORM_ROLE_INVALID');
      expectError(await api.patch(`/users/${victim.id}/block`), 403, 'PLATFORM_ROLE_INVALID');
      expectError(await api.delete(`/projects/${projectId}`), 403, 'PLATFORM_ROLE_INVALID');
      const [{ isBlocked } = {}] = await service().records.query<{ isBlocked: boolean }>(
        'select is_blocked as "isBlocked" from users where id = $1',
        [victim.id],
      );
      expect(isBlocked).to.equal(false);
    });

    for (const role of PLATFORM_ROLES)
      it(`When an ${role} holds no platform role any more, then the workspace's me answers 403`, async () => {
        const { id, api } = await service().member(role);
        await service().records.removeRoles(id);
        expectError(await api.get(WORKSPACES[role]), 403, 'PLATFORM_ROLE_INVALID');
      });

    it('When only a customer’s role is left, then the workspace’s me answers 403', async () => {
      const { id, api } = await service().member('OPERATOR');
      await service().records.removeRoles(id);
      await service().records.giveRole(id, 'CUSTOMER');
      expectError(await api.get('/operator/me'), 403, 'PLATFORM_ROLE_INVALID');
    });
  });

  it('When a second platform role is stored for a user, then the data store refuses it', async () => {
    const { records, member } = service();
    const { id } = await member('OPERATOR');
    for (const role of PLATFORM_ROLES) {
      const error = await records.giveRole(id, role).then(
        () => undefined,
        (failure: Error) => failure,
      );
      expect(error, role).to.be.instanceOf(Error).and.have.property('code', '23505');
    }
    await records.giveRole(id, 'CUSTOMER');
  });
});

describe('A store without its rule of one platform role', () => {
  const service = useAdminService();
  before('drop the rule, in a database of its own', () =>
    service().records.query('drop index user_roles_one_platform_role'),
  );

  it('When a user holds two platform roles, then every workspace’s me answers 403', async () => {
    for (const role of PLATFORM_ROLES) {
      const { id, api } = await service().member(role);
      await service().records.giveRole(id, role === 'ADMIN' ? 'ARBITER' : 'ADMIN');
      expectError(await api.get(WORKSPACES[role]), 403, 'PLATFORM_ROLE_INVALID');
    }
  });
});

describe('The guard of the access token', () => {
  const service = useAdminService();
  const expectRefused = async (token: string | undefined, code = 'TOKEN_INVALID') => {
    const answer = await service().api(token).get('/administrator/me');
    expectError(answer, 401, code);
    expect(answer.headers['www-authenticate']).to.equal('Bearer');
  };
  const genuine = () => service().member('ADMIN');

  it('When the token is genuine, then it is admitted', async () => {
    expect((await (await genuine()).api.get('/administrator/me')).status).to.equal(200);
  });

  it('When there is no token, or none that can be read, then 401', async () => {
    await expectRefused(undefined);
    for (const token of ['garbage', 'a.b.c', '', '..']) await expectRefused(token);
    const { token } = await genuine();
    for (const authorization of [
      token,
      `Basic ${token}`,
      `Token ${token}`,
      `Bearer${token}`,
      `Bearer a ${token}`,
    ])
      expectError(
        await service().api().get('/administrator/me', undefined, { Authorization: authorization }),
        401,
        'TOKEN_INVALID',
      );
  });

  it('When the token is registered but signed in another way, then 401', async () => {
    const { token } = await genuine();
    const claims = jsonwebtoken.decode(token) as Record<string, unknown>;
    const [header, payload, signature] = token.split('.');
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const forged = [
      jsonwebtoken.sign(claims, `${ACCESS_SECRET}x`),
      jsonwebtoken.sign(claims, 'customer-access-secret-of-the-tests-0001'),
      jsonwebtoken.sign(claims, ACCESS_SECRET, { algorithm: 'HS384' }),
      jsonwebtoken.sign(claims, ACCESS_SECRET, { algorithm: 'HS512' }),
      `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
      `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.${signature}`,
      `${header}.${encode({ ...claims, platformRole: 'ARBITER' })}.${signature}`,
      `${header}.${payload}.`,
    ];
    for (const one of forged) await expectRefused(one);
  });

  it('When the token has expired, then 401', async () => {
    const { records } = service();
    const { id } = await records.user(['ADMIN']);
    const fields = { secret: ACCESS_SECRET, platformRole: 'ADMIN', lifetimeSeconds: -1 };
    await expectRefused(await records.registeredToken(id, fields));
  });

  it('When the token is not registered, then 401', async () => {
    const { records } = service();
    const { id } = await records.user(['ADMIN']);
    await expectRefused(records.unregisteredToken(id, { secret: ACCESS_SECRET, platformRole: 'ADMIN' }));
  });

  it('When the token is registered for another user, then 401', async () => {
    const { records } = service();
    const [one, other] = [await records.user(['ADMIN']), await records.user(['ADMIN'])];
    const fields = { secret: ACCESS_SECRET, platformRole: 'ADMIN', jti: randomUUID() };
    await records.registeredToken(one.id, fields);
    await expectRefused(records.unregisteredToken(other.id, fields));
  });

  it('When the token was registered and is no more, then 401', async () => {
    const { id, token } = await genuine();
    await service().records.query('delete from token_records where user_id = $1', [id]);
    await expectRefused(token);
  });

  it('When the user exists no more, then 401', async () => {
    const { id, token } = await genuine();
    await service().records.query('delete from users where id = $1', [id]);
    await expectRefused(token);
  });

  for (const role of PLATFORM_ROLES)
    it(`When the token is that of a blocked ${role}, then 401 until the unblock`, async () => {
      const { records, member } = service();
      const { id, api } = await member(role);
      await records.block(id);
      const answer = await api.get(WORKSPACES[role]);
      expectError(answer, 401, 'USER_BLOCKED');
      expect(answer.headers['www-authenticate']).to.equal('Bearer');
      await records.block(id, false);
      expect((await api.get(WORKSPACES[role])).status).to.equal(200);
    });

  it('When the token claims no platform role, or one that there is not, then it is admitted nowhere', async () => {
    const { records, api } = service();
    for (const platformRole of [undefined, 'CUSTOMER', 'ROOT', 'admin']) {
      const { id } = await records.user(['ADMIN']);
      const token = await records.registeredToken(id, { secret: ACCESS_SECRET, platformRole });
      for (const path of [...Object.values(WORKSPACES), ...ADMINISTRATORS_ROUTES])
        expectError(await api(token).get(path), 403, 'WORKSPACE_FORBIDDEN');
    }
  });

  it('When the token is bad, then that is the answer whatever else is wrong with the request', async () => {
    const api = service().api('garbage');
    expectError(await api.get('/users?page=0'), 401, 'TOKEN_INVALID');
    expectError(await api.patch(`/projects/${randomUUID()}`, { status: 'DRAFT' }), 401, 'TOKEN_INVALID');
    expectError(await api.patch('/projects/no-uuid', '{'), 401, 'TOKEN_INVALID');
  });
});

describe('The current administrator', () => {
  const service = useAdminService();

  it('When an ADMIN asks for it, then it is the user of the token, with nothing secret', async () => {
    const { id, email, api } = await service().member('ADMIN');
    const { status, body } = await api.get('/users/me');
    expect(status).to.equal(200);
    expect(body).to.deep.include({ id, email, platformRole: 'ADMIN', roles: ['ADMIN'] });
    expect(body).to.include({ isBlocked: false, isEmailVerified: false });
    const fields = [
      'id',
      'email',
      'platformRole',
      'roles',
      'isBlocked',
      'isEmailVerified',
      'createdAt',
      'updatedAt',
    ];
    expect(Object.keys(body)).to.have.members(fields);
    for (const time of [body.createdAt, body.updatedAt]) expect(time).to.equal(new Date(time).toISOString());
  });

  it('When the ADMIN holds no platform role any more, then 403', async () => {
    const { id, api } = await service().member('ADMIN');
    await service().records.removeRoles(id);
    expectError(await api.get('/users/me'), 403, 'PLATFORM_ROLE_INVALID');
  });
});

describe('The greeting', () => {
  const service = useAdminService();

  it('When anybody asks, with or without a slash at the end, then it is said without a token', async () => {
    for (const path of ['', '/']) {
      const { status, body } = await service().api().get(path);
      expect({ status, body }).to.deep.equal({ status: 200, body: { message: 'Hello API' } });
    }
  });
});
