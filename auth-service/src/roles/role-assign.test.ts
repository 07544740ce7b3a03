import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLATFORM_ROLES } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { runScript } from '@platform/shared/testing/process';
import { countSessions, withFailing } from '@platform/shared/testing/query-database';
import { createRecords, type Records, type Role } from '@platform/shared/testing/records';
import { addSecondFactor } from '@platform/shared/testing/second-factors';
import { createTestDatabase, type TestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { expect } from 'chai';

describe('npm run role:assign', () => {
  let database: TestDatabase;
  let records: Records;
  before('create a database', async () => {
    database = await createTestDatabase();
    records = createRecords(database.url);
  });
  after('drop the database', async () => {
    await records?.close();
    await database?.drop();
  });
  const runScriptWith = (args: string[], environment: Record<string, string>) =>
    runScript('auth-service/src/run-role-assign.ts', args, environment);
  /** The login of auth-service has sufficient rights for the command. */
  const run = async (email: string, role: string, environment: Record<string, string> = {}) =>
    runScriptWith([email, role], {
      DATABASE_URL: await withLoginOf('auth', database.url),
      ADMIN_ALLOWED_DOMAINS: 'example.com',
      ...environment,
    });
  const verifiedUser = (roles: readonly Role[] = [], email = uniqueEmail()) =>
    records.user(roles, { email, isEmailVerified: true });
  const rolesOf = async (userId: string) =>
    (
      await records.query<{ role: string }>('select role from user_roles where user_id = $1 order by role', [
        userId,
      ])
    ).map(({ role }) => role);
  /** The last line of the output. */
  const expectLine = (output: string, pattern: RegExp) =>
    expect(output).to.match(new RegExp(`^${pattern.source}[^\\n]*\\n$`));

  for (const role of PLATFORM_ROLES)
    it(`assigns ${role} to a customer, with exit code 0, one line and an audit record`, async () => {
      const { id, email } = await verifiedUser(['CUSTOMER']);
      const output = `${email} is now ${role}. Second factors: none. All sessions have ended.\n`;
      expect(await run(email, role)).to.deep.equal({ code: 0, output });
      expect(await rolesOf(id)).to.deep.equal([role, 'CUSTOMER'].sort());
      const [record] = await records.auditOf(id);
      expect(record).to.deep.include({
        action: 'ROLE_ASSIGNED',
        actorId: null,
        targetType: 'USER',
        requestId: 'role-assign',
        address: 'command line',
        details: { role },
      });
    });

  it('ends the sessions of the user, and prints the second factors', async () => {
    const { id, email } = await verifiedUser(['CUSTOMER']);
    await addSecondFactor(records, id);
    await records.registeredToken(id, { secret: 'any secret' });
    const { output } = await run(email.toUpperCase(), 'ADMIN');
    expectLine(output, /.* Second factors: an authenticator app, passkey "Key"\. /);
    expect(await countSessions(database.url, id)).to.deep.include({ tokenRecords: 0 });
  });

  it('exits with 1 and USER_NOT_FOUND for an unknown e-mail, and the former one of a deleted user', async () => {
    const { id, email } = await verifiedUser(['CUSTOMER']);
    await records.deleteAccount(id);
    for (const address of [email, 'deleted', uniqueEmail()]) {
      const { code, output } = await run(address, 'ADMIN');
      expect(code).to.equal(1);
      expectLine(output, /USER_NOT_FOUND/);
    }
    expect(await rolesOf(id)).to.deep.equal(['CUSTOMER']);
  });

  const at = (domain: string) => uniqueEmail().replace('example.com', domain);
  for (const [code, roles, fields, role] of [
    ['PLATFORM_ROLE_TAKEN', ['OPERATOR'], { email: at('example.com.evil') }, 'OPERATOR'],
    ['PLATFORM_ROLE_TAKEN', ['OPERATOR'], { isBlocked: true }, 'ADMIN'],
    ['USER_IS_BLOCKED', ['CUSTOMER'], { isBlocked: true }, 'ADMIN'],
    ['EMAIL_NOT_VERIFIED', ['CUSTOMER'], {}, 'ADMIN'],
    ['DOMAIN_NOT_ALLOWED', [], { email: at('example.net'), isEmailVerified: true }, 'ADMIN'],
    ['DOMAIN_NOT_ALLOWED', [], { email: at('sub.example.com'), isEmailVerified: true }, 'ADMIN'],
  ] as const)
    it(`exits with 1 and ${code} for [${roles}] with ${JSON.stringify(fields)}`, async () => {
      const { id, email } = await records.user(roles, fields);
      const refused = await run(email, role);
      expectLine(refused.output, new RegExp(code));
      expect(refused.code).to.equal(1);
      expect(await rolesOf(id)).to.deep.equal(roles);
      expect(await records.auditOf(id)).to.deep.equal([]);
    });

  it('fails without a list of allowed domains', async () => {
    const { id, email } = await verifiedUser();
    for (const domains of ['', ',', ' , ', '*', '@example.com']) {
      const { code, output } = await run(email, 'ADMIN', { ADMIN_ALLOWED_DOMAINS: domains });
      expectLine(output, /ADMIN_ALLOWED_DOMAINS/);
      expect(code, domains).to.equal(1);
    }
    expect(await rolesOf(id)).to.deep.equal([]);
  });

  it('reads the allowed domains from ADMIN_ALLOWED_DOMAINS, in any letter case', async () => {
    const { email } = await verifiedUser([], uniqueEmail().replace('example.com', 'corp.test'));
    const domains = { ADMIN_ALLOWED_DOMAINS: 'one.test, CORP.test' };
    expect((await run(email, 'ARBITER', domains)).code).to.equal(0);
    const { email: usual } = await verifiedUser();
    expectLine((await run(usual, 'ARBITER', domains)).output, /DOMAIN_NOT_ALLOWED/);
  });

  it('assigns one of two concurrent roles', async () => {
    const { id, email } = await verifiedUser();
    const outcomes = await Promise.all([run(email, 'OPERATOR'), run(email, 'ARBITER')]);
    expect(outcomes.map(({ code }) => code).sort()).to.deep.equal([0, 1]);
    expect(await rolesOf(id)).to.have.lengthOf(1);
    expect(await records.auditOf(id)).to.have.lengthOf(1);
  });

  it('exits with 1 and the usage for a missing e-mail, and a missing or unknown role', async () => {
    const invalidArguments = [
      [],
      ['ada@example.com'],
      ['ada@example.com', 'ROOT'],
      ['ada@example.com', 'CUSTOMER'],
      ['ada@example.com', 'admin'],
    ];
    for (const args of invalidArguments) {
      const { code, output } = await runScriptWith(args, {
        DATABASE_URL: database.url,
      });
      expectLine(output, /Usage: npm run role:assign -- <email> <ADMIN\|OPERATOR\|ARBITER>/);
      expect(code).to.equal(1);
    }
  });

  it('exits with 1 and assigns nothing when the audit record cannot be written', async () => {
    const { id, email } = await verifiedUser();
    await withFailing(database.url, 'insert', 'audit_records', async () => {
      const { code, output } = await run(email, 'ADMIN');
      expect(code).to.equal(1);
      expectLine(output, /./);
    });
    expect(await rolesOf(id)).to.deep.equal([]);
  });

  describe('without DATABASE_URL', () => {
    let dataDir: string;
    before('write stack.json', async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'platform-role-'));
    });
    after('remove the data directory', () => rm(dataDir, { recursive: true, force: true }));

    it('exits with 1 and one line of advice when DATA_DIR has no stack.json', async () => {
      const { code, output } = await runScriptWith(['ada@example.com', 'ADMIN'], { DATA_DIR: dataDir });
      expectLine(output, /.*DATABASE_URL/);
      expect(code).to.equal(1);
    });

    const writeStack = (adminAllowedDomains: string | null) =>
      writeFile(
        join(dataDir, 'stack.json'),
        JSON.stringify({ databaseUrl: database.url, adminAllowedDomains }),
      );

    it('uses the database and the allowed domains of the embedded stack', async () => {
      await writeStack('corp.test');
      const { id, email } = await verifiedUser([], uniqueEmail().replace('example.com', 'corp.test'));
      expect((await runScriptWith([email, 'OPERATOR'], { DATA_DIR: dataDir })).code).to.equal(0);
      expect(await rolesOf(id)).to.deep.equal(['OPERATOR']);
      const { email: other } = await verifiedUser();
      expectLine(
        (await runScriptWith([other, 'OPERATOR'], { DATA_DIR: dataDir })).output,
        /DOMAIN_NOT_ALLOWED/,
      );
    });

    it('does not use the allowed domains of the embedded stack for another database', async () => {
      await writeStack('example.com');
      const { id, email } = await verifiedUser();
      const other = new URL(database.url);
      other.searchParams.set('application_name', 'another');
      const environment = { DATABASE_URL: other.href, DATA_DIR: dataDir };
      expectLine((await runScriptWith([email, 'ADMIN'], environment)).output, /ADMIN_ALLOWED_DOMAINS/);
      await writeStack(null);
      expectLine(
        (await runScriptWith([email, 'ADMIN'], { DATA_DIR: dataDir })).output,
        /ADMIN_ALLOWED_DOMAINS/,
      );
      expect(await rolesOf(id)).to.deep.equal([]);
    });

    it('exits with 1 and one line when the database does not respond', async () => {
      const url = 'postgres://nobody@127.0.0.1:1/nothing';
      const { code, output } = await runScriptWith(['ada@example.com', 'ADMIN'], {
        DATABASE_URL: url,
        ADMIN_ALLOWED_DOMAINS: 'example.com',
      });
      expectLine(output, /SERVICE_UNAVAILABLE/);
      expect(code).to.equal(1);
    });
  });
});
