import { randomBytes, randomUUID } from 'node:crypto';
import { PLATFORM_ROLES } from '@platform/shared/testing/auth-client';
import { forgedTokens } from '@platform/shared/testing/forged-tokens';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { ACCESS_SECRET, useAdminService } from '../../testing/admin-service.ts';

const WORKSPACES = { OPERATOR: '/operator/me', ADMIN: '/administrator/me', ARBITER: '/arbiter/me' } as const;
/** Routes that require the role ADMIN: one for each feature. */
const ADMIN_ROUTES = [
  '/users',
  '/users/me',
  '/projects',
  '/administrator/teams',
  '/administrator/me',
  '/administrator/audit-log',
];

describe('workspaces', () => {
  const service = useAdminService();

  for (const role of PLATFORM_ROLES) {
    it(`returns the three fields of the caller to an ${role}`, async () => {
      const user = await service().as(role);
      const response = await user.send('GET', WORKSPACES[role]);
      expect(response.status, response.text).to.equal(200);
      expect(response.body).to.deep.equal({ userId: user.id, email: user.email, platformRole: role });
    });

    for (const other of PLATFORM_ROLES.filter((name) => name !== role))
      it(`returns 403 to an ${role} in the workspace of ${other}`, async () => {
        const caller = await service().as(role);
        expectError(await caller.send('GET', WORKSPACES[other]), 403, 'WORKSPACE_FORBIDDEN');
      });
  }

  for (const role of ['OPERATOR', 'ARBITER'] as const)
    it(`returns 403 to an ${role} for all ADMIN routes`, async () => {
      const caller = await service().as(role);
      for (const path of ADMIN_ROUTES)
        expectError(await caller.send('GET', path), 403, 'WORKSPACE_FORBIDDEN');
    });

  it('returns 403 for the wrong workspace before validating the request', async () => {
    const caller = await service().as('OPERATOR');
    expectError(await caller.listUsers({ query: { page: '0', nonsense: '1' } }), 403, 'WORKSPACE_FORBIDDEN');
    expectError(await caller.getUser({ id: 'no-uuid' }), 403, 'WORKSPACE_FORBIDDEN');
    expectError(
      await caller.editProject({ id: randomUUID(), body: { status: 'DRAFT' } }),
      403,
      'WORKSPACE_FORBIDDEN',
    );
    expectError(await caller.editProject({ id: randomUUID(), body: '{' }), 403, 'WORKSPACE_FORBIDDEN');
  });

  describe('workspace guard with a stored role that differs from the token', () => {
    it('returns 403 everywhere from the next request on after the role was replaced', async () => {
      const caller = await service().as('ADMIN');
      const { id } = caller;
      expect((await caller.administratorWorkspaceMe()).status).to.equal(200);
      await service().records.removeRoles(id);
      await service().records.giveRole(id, 'ARBITER');
      for (const path of [...ADMIN_ROUTES, '/arbiter/me'])
        expectError(await caller.send('GET', path), 403, 'WORKSPACE_FORBIDDEN');
    });

    it('returns 403 for every route from the next request on after the role was removed', async () => {
      const caller = await service().as('ADMIN');
      const { id } = caller;
      const target = await service().records.user(['CUSTOMER']);
      const projectId = await service().records.project();
      await service().records.removeRoles(id);
      for (const path of ADMIN_ROUTES)
        expectError(await caller.send('GET', path), 403, 'PLATFORM_ROLE_INVALID');
      expectError(await caller.blockUser({ id: target.id }), 403, 'PLATFORM_ROLE_INVALID');
      expectError(await caller.deleteProject({ id: projectId }), 403, 'PLATFORM_ROLE_INVALID');
      const [{ isBlocked } = {}] = await service().records.query<{ isBlocked: boolean }>(
        'select is_blocked as "isBlocked" from users where id = $1',
        [target.id],
      );
      expect(isBlocked).to.equal(false);
    });

    for (const role of PLATFORM_ROLES)
      it(`returns 403 to a former ${role} without a platform role, also after a refresh`, async () => {
        const caller = await service().as(role);
        const { id } = caller;
        await service().records.removeRoles(id);
        expectError(await caller.send('GET', WORKSPACES[role]), 403, 'PLATFORM_ROLE_INVALID');
        // A refresh returns a token that claims no role.
        const refreshed = await service().records.registeredToken(id, { secret: ACCESS_SECRET });
        expectError(
          await service().withToken(refreshed).send('GET', WORKSPACES[role]),
          403,
          'PLATFORM_ROLE_INVALID',
        );
      });

    it('returns 403 when only the role CUSTOMER is left', async () => {
      const caller = await service().as('OPERATOR');
      const { id } = caller;
      await service().records.removeRoles(id);
      await service().records.giveRole(id, 'CUSTOMER');
      expectError(await caller.operatorWorkspaceMe(), 403, 'PLATFORM_ROLE_INVALID');
    });
  });

  it('a unique index rejects a second platform role of a user', async () => {
    const { records, as } = service();
    const { id } = await as('OPERATOR');
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

describe('workspaces without the unique index on platform roles', () => {
  const service = useAdminService();
  before('drop the index', () => service().records.query('drop index user_roles_one_platform_role'));

  it('returns 403 in every workspace to a user with two platform roles', async () => {
    for (const role of PLATFORM_ROLES) {
      const caller = await service().as(role);
      const { id } = caller;
      await service().records.giveRole(id, role === 'ADMIN' ? 'ARBITER' : 'ADMIN');
      expectError(await caller.send('GET', WORKSPACES[role]), 403, 'PLATFORM_ROLE_INVALID');
    }
  });
});

describe('access token check', () => {
  const service = useAdminService();
  const expectUnauthorized = async (token: string | undefined, code = 'TOKEN_INVALID') => {
    const response = await service().withToken(token).administratorWorkspaceMe();
    expectError(response, 401, code);
    expect(response.headers['www-authenticate']).to.equal('Bearer');
  };
  const signInAdmin = () => service().as('ADMIN');

  it('returns 401 for a missing or malformed token', async () => {
    await expectUnauthorized(undefined);
    for (const token of ['garbage', 'a.b.c', '', '..']) await expectUnauthorized(token);
    const { token } = await signInAdmin();
    for (const authorization of [
      token,
      `Basic ${token}`,
      `Token ${token}`,
      `Bearer${token}`,
      `Bearer a ${token}`,
    ])
      expectError(
        await service()
          .withToken()
          .administratorWorkspaceMe({ headers: { Authorization: authorization } }),
        401,
        'TOKEN_INVALID',
      );
  });

  it('returns 401 for a registered token with another signature or algorithm', async () => {
    const { token } = await signInAdmin();
    const forged = Object.values(forgedTokens(token, ACCESS_SECRET));
    for (const forgedToken of forged) await expectUnauthorized(forgedToken);
  });

  it('returns 401 after the token record was deleted', async () => {
    const { id, token } = await signInAdmin();
    await service().records.query('delete from token_records where user_id = $1', [id]);
    await expectUnauthorized(token);
  });

  it('returns 401 after the user was deleted', async () => {
    const { id, token } = await signInAdmin();
    await service().records.query('delete from users where id = $1', [id]);
    await expectUnauthorized(token);
  });

  for (const role of PLATFORM_ROLES)
    it(`returns 401 to a blocked ${role} until the unblock`, async () => {
      const { records, as } = service();
      const caller = await as(role);
      const { id } = caller;
      await records.block(id);
      const response = await caller.send('GET', WORKSPACES[role]);
      expectError(response, 401, 'USER_BLOCKED');
      expect(response.headers['www-authenticate']).to.equal('Bearer');
      await records.block(id, false);
      expect((await caller.send('GET', WORKSPACES[role])).status).to.equal(200);
    });

  it('returns 403 everywhere for a token without a valid platform role', async () => {
    const { records, withToken } = service();
    for (const platformRole of [undefined, 'CUSTOMER', 'ROOT', 'admin']) {
      const { id } = await records.user(['ADMIN']);
      const token = await records.registeredToken(id, { secret: ACCESS_SECRET, platformRole });
      for (const path of [...Object.values(WORKSPACES), ...ADMIN_ROUTES])
        expectError(await withToken(token).send('GET', path), 403, 'WORKSPACE_FORBIDDEN');
    }
  });

  it('returns 401 for an invalid token before validating the request', async () => {
    const caller = service().withToken('garbage');
    expectError(await caller.listUsers({ query: { page: '0' } }), 401, 'TOKEN_INVALID');
    expectError(
      await caller.editProject({ id: randomUUID(), body: { status: 'DRAFT' } }),
      401,
      'TOKEN_INVALID',
    );
    expectError(await caller.editProject({ id: 'no-uuid', body: '{' }), 401, 'TOKEN_INVALID');
  });
});

describe('current administrator', () => {
  const service = useAdminService();

  it('returns the user of the token without secrets', async () => {
    const caller = await service().as('ADMIN');
    const { id, email } = caller;
    const { status, body } = await caller.currentAdministrator();
    expect(status).to.equal(200);
    expect(body).to.deep.include({ id, email, platformRole: 'ADMIN', roles: ['ADMIN'] });
    expect(body).to.include({ isBlocked: false, isEmailVerified: false });
    const fields = [
      'id',
      'email',
      'name',
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
});

describe('greeting', () => {
  const service = useAdminService();

  it('needs no token, with or without a trailing slash', async () => {
    for (const path of ['', '/']) {
      const { status, body } = await service().withToken().send('GET', path);
      expect({ status, body }).to.deep.equal({ status: 200, body: { message: 'Hello API' } });
    }
  });
});

const OLD_SECRET = randomBytes(36).toString('base64url');

describe('access secret rotation', () => {
  const service = useAdminService({ JWT_ADMIN_ACCESS_SECRET_KEY_PREVIOUS: OLD_SECRET });

  for (const [which, secret] of [
    ['previous', OLD_SECRET],
    ['current', ACCESS_SECRET],
  ] as const)
    it(`accepts a token that was signed with the ${which} secret`, async () => {
      const { withToken, records } = service();
      const { id } = await records.user(['ADMIN']);
      const token = await records.registeredToken(id, { secret, platformRole: 'ADMIN' });
      expect((await withToken(token).administratorWorkspaceMe()).status).to.equal(200);
      expect((await withToken(token).listUsers()).status).to.equal(200);
    });

  it('checks registration, expiry, role and block of tokens with the previous secret', async () => {
    const { withToken, records } = service();
    const { id } = await records.user(['ADMIN']);
    const fields = { secret: OLD_SECRET, platformRole: 'ADMIN' };
    expectError(await withToken(records.unregisteredToken(id, fields)).listUsers(), 401, 'TOKEN_INVALID');
    const expired = await records.registeredToken(id, { ...fields, lifetimeSeconds: -1 });
    expectError(await withToken(expired).listUsers(), 401, 'TOKEN_INVALID');
    const operator = await records.registeredToken(id, { ...fields, platformRole: 'OPERATOR' });
    expectError(await withToken(operator).listUsers(), 403, 'WORKSPACE_FORBIDDEN');
    await records.block(id);
    const blocked = await records.registeredToken(id, fields);
    expectError(await withToken(blocked).listUsers(), 401, 'USER_BLOCKED');
  });

  it('returns 401 for a token with another secret', async () => {
    const { withToken, records } = service();
    const { id } = await records.user(['ADMIN']);
    const secret = randomBytes(36).toString('base64url');
    const token = await records.registeredToken(id, { secret, platformRole: 'ADMIN' });
    expectError(await withToken(token).listUsers(), 401, 'TOKEN_INVALID');
  });
});
