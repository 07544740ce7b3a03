import { ACCOUNT_KINDS, ADMINISTRATOR } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { BOOTSTRAP_LOCK } from '../src/accounts/administrators-store.ts';
import { useAuthService } from './auth-service.ts';

type Headers = Record<string, string | undefined>;

/** A platform without anybody before each story. */
const useEmptyPlatform = (environment: Record<string, string> = {}) => {
  const service = useAuthService({ ADMIN_ALLOWED_DOMAINS: 'example.com,example.org', ...environment });
  let records: Records;
  before('open the database', () => {
    records = createRecords(service().databaseUrl);
  });
  beforeEach('remove everybody', () => records.query('truncate users, audit_records cascade'));
  after('close the database', () => records?.close());
  const client = () => service().client(ADMINISTRATOR);
  return {
    service,
    client,
    records: () => records,
    register: (body: object | string | undefined, headers: Headers = {}) =>
      send(service().url, 'POST', `${ADMINISTRATOR.path}/register`, { body, headers }),
    /** The header of one who holds the role and is signed in. */
    signedIn: async (role: 'ADMIN' | 'OPERATOR' | 'ARBITER') => {
      const user = await records.user([role]);
      const { accessToken } = await client().openDevice(user);
      return { ...user, headers: { Authorization: `Bearer ${accessToken}` } };
    },
    countUsers: async () => (await records.query('select 1 from users')).length,
  };
};

const CONNECTIONS = 10;

describe('The registration of the first administrator', () => {
  const { client, service, records, register, countUsers } = useEmptyPlatform({
    DATABASE_CONNECTIONS: String(CONNECTIONS),
  });

  it('When the platform has no ADMIN, then whoever has an allowed e-mail registers without a token', async () => {
    const email = uniqueEmail();
    const answer = await register({ email, password: PASSWORD }, { 'X-Request-Id': 'first' });
    expect(answer.status, answer.text).to.equal(201);
    const { id, createdAt, ...rest } = answer.body;
    expect(rest).to.deep.equal({ email, platformRole: 'ADMIN' });
    expect(createdAt).to.equal(new Date(createdAt).toISOString());
    expect(answer.headers).not.to.have.property('set-cookie');
    const roles = await records().query('select role from user_roles where user_id = $1', [id]);
    expect(roles).to.deep.equal([{ role: 'ADMIN' }]);
    for (const table of ['customer_profiles', 'employee_profiles'])
      expect(await records().query(`select 1 from ${table}`)).to.deep.equal([]);
    const [record] = await records().auditOf(id);
    expect(record).to.deep.include({
      action: 'ADMINISTRATOR_REGISTERED',
      actorId: id,
      targetType: 'USER',
      requestId: 'first',
      address: '127.0.0.1',
    });
    expect((await client().signIn({ email, password: PASSWORD }, 'device')).body.user.platformRole).to.equal(
      'ADMIN',
    );
  });

  it('When the platform has users, and others of the back-office, but no ADMIN, then it is still open', async () => {
    await records().user(['CUSTOMER']);
    await records().user(['OPERATOR']);
    await records().user(['ARBITER']);
    expect((await register({ email: uniqueEmail(), password: PASSWORD })).status).to.equal(201);
  });

  it('When the platform has an ADMIN, though blocked, then a registration without a token is 401', async () => {
    for (const isBlocked of [false, true]) {
      await records().user(['ADMIN'], { isBlocked });
      const answer = await register({ email: uniqueEmail(), password: PASSWORD });
      expectError(answer, 401, 'TOKEN_INVALID');
      expect(answer.headers['www-authenticate']).to.equal('Bearer');
    }
    expect(await countUsers()).to.equal(2);
  });

  it('When twenty register at once, then one succeeds, the others get 401, and there is one user', async () => {
    const lock = await holdLock(service().databaseUrl, 'select pg_advisory_xact_lock($1)', [BOOTSTRAP_LOCK]);
    const registering = Array.from({ length: 20 }, () =>
      register({ email: uniqueEmail(), password: PASSWORD }),
    );
    // So many have found that there is no ADMIN; the others wait for their connections.
    await lock.untilWaiting(CONNECTIONS);
    await lock.release();
    const codes = (await Promise.all(registering)).map(({ status, body }) => body.code ?? status);
    expect(codes.filter((code) => code === 201)).to.have.lengthOf(1);
    expect(codes.filter((code) => code === 'TOKEN_INVALID')).to.have.lengthOf(19);
    expect(await countUsers()).to.equal(1);
    expect(await records().query('select 1 from audit_records')).to.have.lengthOf(1);
  });

  it('When twenty register with the same e-mail at once, then one succeeds', async () => {
    const email = uniqueEmail();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => register({ email, password: PASSWORD })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).to.have.lengthOf(1);
    for (const status of statuses) expect(status).to.be.oneOf([201, 401, 409]);
    expect(await countUsers()).to.equal(1);
  });

  it('When a bad token is sent, then 401 even now', async () => {
    for (const authorization of ['Bearer garbage', 'garbage', 'Basic x', ''])
      expectError(
        await register({ email: uniqueEmail(), password: PASSWORD }, { Authorization: authorization }),
        401,
        'TOKEN_INVALID',
      );
    expect(await countUsers()).to.equal(0);
  });

  it('When the audit record cannot be written, then there is no administrator either', async () => {
    const { query } = records();
    await query(
      `create function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
    );
    await query(
      'create trigger refusal before insert on audit_records for each row execute function refuse()',
    );
    try {
      expectError(await register({ email: uniqueEmail(), password: PASSWORD }), 500, 'INTERNAL_ERROR');
      expect(await countUsers()).to.equal(0);
    } finally {
      await query('drop function refuse cascade');
    }
    expect((await register({ email: uniqueEmail(), password: PASSWORD })).status).to.equal(201);
  });

  it('When the e-mail is not of an allowed domain, then 403, and nobody is created', async () => {
    const domains = ['sub.example.com', 'example.com.evil', 'evil-example.com', 'example.net', 'com'];
    for (const domain of domains) {
      const answer = await register({ email: `ada@${domain}`, password: PASSWORD });
      expectError(answer, 403, 'DOMAIN_NOT_ALLOWED');
    }
    expect(await countUsers()).to.equal(0);
  });

  it('When the e-mail is in capitals, then it is allowed, stored and answered in lower case', async () => {
    const email = uniqueEmail();
    const answer = await register({ email: email.toUpperCase(), password: PASSWORD });
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.body.email).to.equal(email);
  });
});

describe('The registration of further administrators', () => {
  const { client, service, records, register, signedIn, countUsers } = useEmptyPlatform();

  it('When an ADMIN registers another, then 201, and the record names who did it', async () => {
    const admin = await signedIn('ADMIN');
    const email = uniqueEmail();
    const answer = await register(
      { email, password: PASSWORD },
      { ...admin.headers, 'X-Request-Id': 'next' },
    );
    expect(answer.status, answer.text).to.equal(201);
    expect(Object.keys(answer.body)).to.have.members(['id', 'email', 'platformRole', 'createdAt']);
    const [record] = await records().auditOf(answer.body.id);
    expect(record).to.include({ action: 'ADMINISTRATOR_REGISTERED', actorId: admin.id, requestId: 'next' });
    const device = await client().openDevice({ email, password: PASSWORD });
    const bearer = { Authorization: `Bearer ${device.accessToken}` };
    expect((await register({ email: uniqueEmail(), password: PASSWORD }, bearer)).status).to.equal(201);
  });

  for (const role of ['OPERATOR', 'ARBITER'] as const)
    it(`When an ${role} registers one, then 403, with an ADMIN on the platform or without`, async () => {
      const { headers } = await signedIn(role);
      expectError(
        await register({ email: uniqueEmail(), password: PASSWORD }, headers),
        403,
        'WORKSPACE_FORBIDDEN',
      );
      await records().user(['ADMIN']);
      expectError(
        await register({ email: uniqueEmail(), password: PASSWORD }, headers),
        403,
        'WORKSPACE_FORBIDDEN',
      );
    });

  it('When the caller was an ADMIN and is none any more, then 403 with the token of that time', async () => {
    const { id, headers } = await signedIn('ADMIN');
    await records().user(['ADMIN']);
    await records().removeRoles(id);
    expectError(
      await register({ email: uniqueEmail(), password: PASSWORD }, headers),
      403,
      'WORKSPACE_FORBIDDEN',
    );
  });

  it('When the ADMIN is blocked or signed out, then 401', async () => {
    const user = await records().user(['ADMIN']);
    const device = await client().openDevice(user);
    const headers = { Authorization: `Bearer ${device.accessToken}` };
    await records().block(user.id);
    expectError(await register({ email: uniqueEmail(), password: PASSWORD }, headers), 401, 'USER_BLOCKED');
    await records().block(user.id, false);
    await client().signOut(device);
    expectError(await register({ email: uniqueEmail(), password: PASSWORD }, headers), 401, 'TOKEN_INVALID');
  });

  for (const kind of ACCOUNT_KINDS)
    it(`When the token is of one of the ${kind.plural}, then 401`, async () => {
      await records().user(['ADMIN']);
      const { accessToken } = await service()
        .client(kind)
        .openDevice(await service().client(kind).createAccount());
      const headers = { Authorization: `Bearer ${accessToken}` };
      expectError(
        await register({ email: uniqueEmail(), password: PASSWORD }, headers),
        401,
        'TOKEN_INVALID',
      );
    });

  it('When an account has the e-mail, of whichever kind and letter case, then 409, and its roles stay', async () => {
    const { headers, email } = await signedIn('ADMIN');
    const customer = await records().user(['CUSTOMER']);
    for (const taken of [customer.email, customer.email.toUpperCase(), email])
      expectError(await register({ email: taken, password: PASSWORD }, headers), 409, 'EMAIL_TAKEN');
    const roles = await records().query('select role from user_roles where user_id = $1', [customer.id]);
    expect(roles).to.deep.equal([{ role: 'CUSTOMER' }]);
  });

  it('When ten register the same e-mail at once, then one gets 201 and nine 409', async () => {
    const { headers } = await signedIn('ADMIN');
    const email = uniqueEmail();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => register({ email, password: PASSWORD }, headers)),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, ...Array(9).fill(409)]);
  });

  it('When e-mail or password break the contract, then 400 that names them', async () => {
    const { headers } = await signedIn('ADMIN');
    const email = uniqueEmail();
    const cases: [object, ...string[]][] = [
      [{ email }, '/body/password'],
      [{ password: PASSWORD }, '/body/email'],
      [{}, '/body/email', '/body/password'],
      [{ email: 'ada', password: PASSWORD }, '/body/email'],
      [{ email, password: 'Seven 7' }, '/body/password'],
      [{ email, password: `${'x'.repeat(72)}y` }, '/body/password'],
      [{ email, password: 'ж'.repeat(37) }, '/body/password'],
      [{ email, password: null }, '/body/password'],
    ];
    for (const [body, ...paths] of cases)
      expectError(await register(body, headers), 400, 'VALIDATION_FAILED', ...paths);
    expect(await countUsers()).to.equal(1);
  });

  it('When more than e-mail and password is sent, then it is dropped: nobody chooses the role', async () => {
    const { headers } = await signedIn('ADMIN');
    const more = {
      platformRole: 'OPERATOR',
      roles: ['ARBITER'],
      isEmailVerified: true,
      id: 'x',
      firstName: 'Ada',
    };
    const { status, body } = await register({ email: uniqueEmail(), password: PASSWORD, ...more }, headers);
    expect({ status, role: body.platformRole }).to.deep.equal({ status: 201, role: 'ADMIN' });
    const roles = await records().query('select role from user_roles where user_id = $1', [body.id]);
    expect(roles).to.deep.equal([{ role: 'ADMIN' }]);
  });

  it('When the token is bad, then that is the answer whatever the body is like', async () => {
    await records().user(['ADMIN']);
    for (const body of [{}, '{', undefined, { email: 'ada@example.net', password: 'x' }])
      expectError(await register(body, { Authorization: 'Bearer garbage' }), 401, 'TOKEN_INVALID');
  });
});

describe('A platform whose registration is closed', () => {
  const { records, register, signedIn, countUsers } = useEmptyPlatform({ ADMIN_REGISTRATION: 'closed' });

  it('When the first administrator would register, then 403, whatever the body is like', async () => {
    for (const body of [{ email: uniqueEmail(), password: PASSWORD }, {}, undefined])
      expectError(await register(body), 403, 'REGISTRATION_CLOSED');
    expect(await countUsers()).to.equal(0);
  });

  it('When there is an ADMIN, then a registration without a token is 401 as everywhere', async () => {
    await records().user(['ADMIN']);
    expectError(await register({ email: uniqueEmail(), password: PASSWORD }), 401, 'TOKEN_INVALID');
  });

  it('When an ADMIN registers another, then 201: only the first case is shut', async () => {
    const { headers } = await signedIn('ADMIN');
    expect((await register({ email: uniqueEmail(), password: PASSWORD }, headers)).status).to.equal(201);
  });
});
