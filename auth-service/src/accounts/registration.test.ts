import { ADVISORY_LOCKS } from '@platform/shared/db/advisory-locks';
import { ADMINISTRATOR } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { holdLock, lockUser } from '@platform/shared/testing/hold-lock';
import { formatStatus } from '@platform/shared/testing/http-client';
import { withFailing } from '@platform/shared/testing/query-database';
import { useRecords } from '@platform/shared/testing/records';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

type Headers = Record<string, string | undefined>;

/** Deletes all users before each test. */
const useEmptyPlatform = (environment: Record<string, string> = {}) => {
  const service = useAuthService({ ADMIN_ALLOWED_DOMAINS: 'example.com,example.org', ...environment });
  const records = useRecords(() => service().databaseUrl);
  beforeEach('remove all users', () => records.query('truncate users, audit_records cascade'));
  const client = () => service().as('administrator');
  const register = (body: object | string | undefined, headers: Headers = {}) =>
    send(service().url, 'POST', `${ADMINISTRATOR.path}/register`, { body, headers });
  return {
    service,
    client,
    records,
    register,
    registerNew: (headers?: Headers) => register({ email: uniqueEmail(), password: PASSWORD }, headers),
    /** Returns the Authorization header. */
    createSignedInUser: async (role: 'ADMIN' | 'OPERATOR' | 'ARBITER') => {
      const user = await records.user([role]);
      const { accessToken } = await client().openDevice(user);
      return { ...user, headers: { Authorization: `Bearer ${accessToken}` } };
    },
    countUsers: async () => (await records.query('select 1 from users')).length,
  };
};

const CONNECTIONS = 10;

describe('registration of the first administrator', () => {
  const { client, service, records, register, registerNew, countUsers } = useEmptyPlatform({
    DATABASE_CONNECTIONS: String(CONNECTIONS),
  });

  it('creates an ADMIN whatever role the body names, because undeclared fields are dropped', async () => {
    const response = await register({ email: uniqueEmail(), password: PASSWORD, role: 'OPERATOR' });
    expect([response.status, response.body.platformRole]).to.deep.equal([201, 'ADMIN']);
  });

  it('needs no token while the platform has no ADMIN', async () => {
    const email = uniqueEmail();
    const response = await register({ email, password: PASSWORD }, { 'X-Request-Id': 'first' });
    expect(response.status, response.text).to.equal(201);
    const { id, createdAt, ...rest } = response.body;
    expect(rest).to.deep.equal({ email, platformRole: 'ADMIN' });
    expect(createdAt).to.equal(new Date(createdAt).toISOString());
    expect(response.headers).not.to.have.property('set-cookie');
    const roles = await records.query('select role from user_roles where user_id = $1', [id]);
    expect(roles).to.deep.equal([{ role: 'ADMIN' }]);
    for (const table of ['customer_profiles', 'employee_profiles'])
      expect(await records.query(`select 1 from ${table}`)).to.deep.equal([]);
    const [record] = await records.auditOf(id);
    expect(record).to.deep.include({
      action: 'ADMINISTRATOR_REGISTERED',
      actorId: id,
      targetType: 'USER',
      requestId: 'first',
      address: '127.0.0.1',
    });
    expect(
      (await client().signIn({ fingerprint: 'device', body: { email, password: PASSWORD } })).body.user
        .platformRole,
    ).to.equal('ADMIN');
  });

  it('needs no token while the platform has other users and roles but no ADMIN', async () => {
    await records.user(['CUSTOMER']);
    await records.user(['OPERATOR']);
    await records.user(['ARBITER']);
    expect((await registerNew()).status).to.equal(201);
  });

  it('returns 401 without a token when the platform has an ADMIN, even a blocked one', async () => {
    for (const isBlocked of [false, true]) {
      await records.user(['ADMIN'], { isBlocked });
      const response = await registerNew();
      expectError(response, 401, 'TOKEN_INVALID');
      expect(response.headers['www-authenticate']).to.equal('Bearer');
    }
    expect(await countUsers()).to.equal(2);
  });

  it('succeeds once for twenty concurrent requests, and returns 401 to the others', async () => {
    const lock = await holdLock(service().databaseUrl, 'select pg_advisory_xact_lock($1)', [
      ADVISORY_LOCKS.administrators,
    ]);
    const registering = Array.from({ length: 20 }, () => registerNew());
    // These requests have found no ADMIN; the others still wait for a connection.
    await lock.releaseWhenWaiting(CONNECTIONS);
    const codes = (await Promise.all(registering)).map(({ status, body }) => body.code ?? status);
    expect(codes.filter((code) => code === 201)).to.have.lengthOf(1);
    expect(codes.filter((code) => code === 'TOKEN_INVALID')).to.have.lengthOf(19);
    expect(await countUsers()).to.equal(1);
    expect(await records.query('select 1 from audit_records')).to.have.lengthOf(1);
  });

  it('returns 401 for an invalid token', async () => {
    for (const authorization of ['Bearer garbage', 'garbage', 'Basic x', ''])
      expectError(await registerNew({ Authorization: authorization }), 401, 'TOKEN_INVALID');
    expect(await countUsers()).to.equal(0);
  });

  it('creates no administrator when the audit record cannot be written', async () => {
    await withFailing(service().databaseUrl, 'insert', 'audit_records', async () =>
      expectError(await registerNew(), 500, 'INTERNAL_ERROR'),
    );
    expect(await countUsers()).to.equal(0);
    expect((await registerNew()).status).to.equal(201);
  });

  it('returns 403 for an e-mail of another domain', async () => {
    const response = await register({ email: 'ada@example.net', password: PASSWORD });
    expectError(response, 403, 'DOMAIN_NOT_ALLOWED');
    expect(await countUsers()).to.equal(0);
  });
});

describe('registration of further administrators', () => {
  const { client, service, records, register, registerNew, createSignedInUser, countUsers } =
    useEmptyPlatform();

  it('returns 201 to an ADMIN and records the actor', async () => {
    const admin = await createSignedInUser('ADMIN');
    const email = uniqueEmail();
    const response = await register(
      { email, password: PASSWORD },
      { ...admin.headers, 'X-Request-Id': 'next' },
    );
    expect(response.status, response.text).to.equal(201);
    expect(Object.keys(response.body)).to.have.members(['id', 'email', 'platformRole', 'createdAt']);
    const [record] = await records.auditOf(response.body.id);
    expect(record).to.include({ action: 'ADMINISTRATOR_REGISTERED', actorId: admin.id, requestId: 'next' });
    const device = await client().openDevice({ email, password: PASSWORD });
    const bearer = { Authorization: `Bearer ${device.accessToken}` };
    expect((await registerNew(bearer)).status).to.equal(201);
  });

  it('mails the new administrator, and the ADMIN who gave the role', async () => {
    const { id, email: giver, headers } = await createSignedInUser('ADMIN');
    const email = uniqueEmail();
    const registered = await register({ email, password: PASSWORD }, headers);
    const text =
      "select user_id as id, mail - array['changedAt', 'timeZone', 'roles'] as mail from mail_outbox order by mail ->> 'template'";
    const mails = await records.query(text);
    const own = { to: email, language: 'en', isEmailVerified: false, role: 'ADMIN' };
    const given = { to: giver, language: 'en', isEmailVerified: false, role: 'ADMIN', email };
    expect(mails).to.deep.equal([
      { id: registered.body.id, mail: { template: 'administrator-registered', ...own } },
      { id, mail: { template: 'platform-role-given', ...given } },
    ]);
  });

  it('returns 429 after twenty roles within an hour, before it looks for the address', async () => {
    const { email, id, headers } = await createSignedInUser('ADMIN');
    await records.query(
      `insert into audit_records (action, actor_id, target_type, target_id, request_id, address)
       select 'ROLE_ASSIGNED', $1, 'USER', gen_random_uuid(), 'request', 'address' from generate_series(1, 19)`,
      [id],
    );
    expectError(await register({ email, password: PASSWORD }, headers), 409, 'EMAIL_TAKEN');
    const lock = await lockUser(service().databaseUrl, id);
    const registering = [registerNew(headers), registerNew(headers)];
    await lock.commitWhenWaiting(2);
    const statuses = (await Promise.all(registering)).map(formatStatus);
    expect(statuses).to.have.members(['201', '429 RATE_LIMITED']);
    const rejected = await register({ email, password: PASSWORD }, headers);
    expectError(rejected, 429, 'RATE_LIMITED');
    expect(Number(rejected.headers['retry-after'])).to.be.within(3_500, 3_600);
  });

  for (const role of ['OPERATOR', 'ARBITER'] as const)
    it(`returns 403 to ${role}, with or without an ADMIN on the platform`, async () => {
      const { headers } = await createSignedInUser(role);
      expectError(await registerNew(headers), 403, 'WORKSPACE_FORBIDDEN');
      await records.user(['ADMIN']);
      expectError(await registerNew(headers), 403, 'WORKSPACE_FORBIDDEN');
    });

  it('returns 403 to a former ADMIN with an earlier token', async () => {
    const { id, headers } = await createSignedInUser('ADMIN');
    await records.user(['ADMIN']);
    await records.removeRoles(id);
    expectError(await registerNew(headers), 403, 'WORKSPACE_FORBIDDEN');
  });

  const LOSSES = {
    'has no session any more': ['delete from token_records where user_id = $1', 401, 'TOKEN_INVALID'],
    'has lost the role': ['delete from user_roles where user_id = $1', 403, 'WORKSPACE_FORBIDDEN'],
  } as const;
  for (const [name, [loss, status, code]] of Object.entries(LOSSES))
    it(`waits for the loss of power, and returns ${status} to an ADMIN who ${name}`, async () => {
      const { id, headers } = await createSignedInUser('ADMIN');
      const text = `with lost as (${loss} returning 1) select 1 from users where id = $1 for no key update`;
      const lock = await holdLock(service().databaseUrl, text, [id]);
      const registered = registerNew(headers);
      await lock.commitWhenWaiting(1);
      expectError(await registered, status, code);
      expect(await countUsers()).to.equal(1);
    });

  it('returns 409 for the e-mail of an account of any kind, and keeps its roles', async () => {
    const { headers, email } = await createSignedInUser('ADMIN');
    const customer = await records.user(['CUSTOMER']);
    for (const taken of [customer.email, customer.email.toUpperCase(), email])
      expectError(await register({ email: taken, password: PASSWORD }, headers), 409, 'EMAIL_TAKEN');
    const roles = await records.query('select role from user_roles where user_id = $1', [customer.id]);
    expect(roles).to.deep.equal([{ role: 'CUSTOMER' }]);
  });
});

describe('closed registration', () => {
  const { register, registerNew, createSignedInUser, countUsers } = useEmptyPlatform({
    ADMIN_REGISTRATION: 'closed',
  });

  it('returns 403 to the first administrator, whatever the body', async () => {
    for (const body of [{ email: uniqueEmail(), password: PASSWORD }, {}, undefined])
      expectError(await register(body), 403, 'REGISTRATION_CLOSED');
    expect(await countUsers()).to.equal(0);
  });

  it('returns 201 to an ADMIN', async () => {
    const { headers } = await createSignedInUser('ADMIN');
    expect((await registerNew(headers)).status).to.equal(201);
  });
});
