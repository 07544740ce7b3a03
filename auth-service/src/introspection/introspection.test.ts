import { ADMINISTRATOR, ALL_KINDS } from '@platform/shared/testing/auth-client';
import { CONFIRMATION, PASSWORD } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { expectError, send } from '@platform/shared/testing/responses';
import { describeScopes, SCOPE_TABLE_ENVIRONMENT } from '@platform/shared/testing/scope-table';
import {
  basicAuth,
  createServiceClient,
  SERVICE,
  SERVICE_ENVIRONMENT,
} from '@platform/shared/testing/service-client';
import { expect } from 'chai';
import { SECRETS, useAuthService } from '../../testing/auth-service.ts';

const INACTIVE = { active: false };

describe('introspection of access tokens', () => {
  const service = useAuthService({
    ...SERVICE_ENVIRONMENT,
    SECOND_FACTOR_REQUIRED_FOR: 'OPERATOR',
  });
  const introspect = (form: Record<string, string>) =>
    createServiceClient(service().url).introspectToken({ form });
  const bodyFor = async ({ accessToken: token }: Pick<Device, 'accessToken'>, fields = {}) =>
    (await introspect({ token, ...fields })).body;

  for (const kind of ALL_KINDS)
    it(`describes user and session of ${kind.plural}, as me does`, async () => {
      const client = service().as(kind);
      const { account, device } = await client.createAccountAndDevice();
      const response = await introspect({ token: device.accessToken, fingerprint: device.fingerprint });
      expect(response.headers['cache-control']).to.equal('no-store');
      const { body: me } = await client.me(device);
      const { iat, exp, ...described } = response.body;
      expect(exp - iat).to.equal(3_600);
      expect(described).to.deep.equal({
        active: true,
        sub: account.userId,
        kind: kind.kind,
        roles: me.user.roles,
        ...(kind === ADMINISTRATOR && { platform_role: 'ADMIN' }),
        profile_id: me.profile?.id ?? null,
        session_id: me.session.id,
        email: account.email,
        email_verified: false,
        methods: ['password'],
      });
    });

  it('returns only active: false for every other token and for another device', async () => {
    const device = await service().as('customer').createDevice();
    const { accessToken, refreshToken } = device;
    const { id } = await service().records.user(['CUSTOMER']);
    const unregistered = service().records.unregisteredToken(id, { secret: SECRETS.customerAccess });
    for (const token of ['x', `${accessToken}x`, `${accessToken.slice(0, -2)}`, refreshToken, unregistered])
      expect(await bodyFor({ accessToken: token })).to.deep.equal(INACTIVE);
    expect(await bodyFor(device, { fingerprint: 'another device' })).to.deep.equal(INACTIVE);
    expect(await bodyFor(device, { token_type_hint: 'access_token', other: 'x' })).to.include({
      active: true,
    });
  });

  const ENDINGS: Record<
    string,
    (session: { email: string; device: Device; other: Device }) => Promise<unknown>
  > = {
    'a sign-out': ({ device }) => service().as('customer').signOut(device),
    'a password change elsewhere': ({ other }) =>
      service()
        .as('customer')
        .resetPasswordMe({ ...other, body: { currentPassword: PASSWORD, newPassword: 'A better horse 2' } }),
    'a password reset': async ({ email }) => {
      const code = await service().as('customer').requestResetCode(email);
      return service()
        .as('customer')
        .resetPasswordEmailCode({ body: { email, code, newPassword: 'A better horse 2' } });
    },
    'a refresh': ({ device }) => service().as('customer').refreshToken(device),
    'the deletion of the account': ({ other }) =>
      service()
        .as('customer')
        .accountDelete({ ...other, body: CONFIRMATION }),
  };
  for (const [name, end] of Object.entries(ENDINGS))
    it(`is inactive at once after ${name}`, async () => {
      const client = service().as('customer');
      const account = await client.createAccount();
      const [device, other] = [await client.openDevice(account), await client.openDevice(account)];
      expect(await bodyFor(device)).to.include({ active: true });
      await end({ email: account.email, device, other });
      expect(await bodyFor(device)).to.deep.equal(INACTIVE);
    });

  it('follows a block and an unblock', async () => {
    const { account, device } = await service().as('customer').createAccountAndDevice();
    for (const isBlocked of [true, false]) {
      await service().records.block(account.userId, isBlocked);
      expect(await bodyFor(device)).to.include({ active: !isBlocked });
    }
  });

  it('reports the stored roles, and a platform role only of an administrator who has it', async () => {
    const administrator = await service().as('administrator').createAccountAndDevice();
    await service().records.removeRoles(administrator.account.userId);
    const customer = await service().as('customer').createAccountAndDevice();
    await service().records.giveRole(customer.account.userId, 'ADMIN');
    for (const [device, roles] of [
      [administrator.device, []],
      [customer.device, ['ADMIN', 'CUSTOMER']],
    ] as const) {
      const body = await bodyFor(device);
      expect(body).to.deep.include({ active: true, roles });
      expect(body).not.to.have.property('platform_role');
    }
  });

  it('is inactive while a required second factor must be set up', async () => {
    const account = await service().as('customer').createVerifiedAccount();
    await service().records.giveRole(account.userId, 'OPERATOR');
    const client = service().as('customer');
    const device = await client.openDevice(account);
    expect((await client.me(device)).status).to.equal(200);
    expect(await bodyFor(device)).to.deep.equal(INACTIVE);
    await client.enableTotp(device);
    expect(await bodyFor(device)).to.deep.include({ active: true, methods: ['password', 'totp'] });
  });

  it('rejects an invalid form', async () => {
    expectError(await introspect({}), 400, 'VALIDATION_FAILED', '/body/token');
    const headers = { Authorization: basicAuth(SERVICE.name, SERVICE.secret) };
    const get = (path: string) => send(service().url, 'GET', `/internal/v1${path}`, { headers });
    expectError(await get('/introspect'), 405, 'METHOD_NOT_ALLOWED');
    expectError(await get('/users?id=x'), 404, 'ROUTE_NOT_FOUND');
  });
});

describe('internal operations', () => {
  const service = useAuthService(SERVICE_ENVIRONMENT);
  const call = (method: string, path: string, headers = {}) => send(service().url, method, path, { headers });

  it('are described by one document with a page, and unknown paths return 404', async () => {
    const document = await call('GET', '/internal/v1/openapi.json');
    expect(Object.keys(document.body.paths)).to.include.members(['/introspect', '/users', '/events']);
    expect(document.body, 'a generator would take it for all paths').not.to.have.property('servers');
    const ports = ['/introspect', '/users'].map(
      (path) => document.body.paths[path].servers[0].variables.port.default,
    );
    expect(ports).to.deep.equal(['3001', '3002']);
    expect((await call('GET', '/internal/v1/')).text).to.include('<title>Internal operations</title>');
    for (const path of ['/internal/v1/any', '/internal/v1/introspect/', '/internal/v1x', '/internal'])
      expectError(await call('GET', path), 404, 'ROUTE_NOT_FOUND');
  });

  it('check the credentials first, and limit failures by the network of the connection', async () => {
    for (let count = 0; count < 61; count += 1) {
      const headers = { Authorization: basicAuth('projects', 'x'), 'X-Forwarded-For': `192.0.2.${count}` };
      const response = await call('POST', '/internal/v1/introspect', headers);
      if (count < 60) expectError(response, 401, 'SERVICE_UNKNOWN');
      else expectError(response, 429, 'RATE_LIMITED');
    }
  });
});

describe('scopes of other services at auth-service', () => {
  const service = useAuthService(SCOPE_TABLE_ENVIRONMENT);
  describeScopes('auth-service', () => service().url);
});

describe('internal operations without other services', () => {
  const service = useAuthService();

  it('are rejected', async () => {
    const client = createServiceClient(service().url);
    expectError(await client.introspectToken({ form: { token: 'x' } }), 401, 'SERVICE_UNKNOWN');
  });
});
