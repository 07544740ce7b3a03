import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLATFORM_ROLES } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { runScript } from '@platform/shared/testing/process';
import { createRecords, type Records, type Role } from '@platform/shared/testing/records';
import { createTestDatabase, type TestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { expect } from 'chai';

describe('npm run role:assign', () => {
  let database: TestDatabase;
  let records: Records;
  before('create a database', async () => {
    database = await createTestDatabase();
    records = createRecords(database.url);
  });
  after('drop it', async () => {
    await records?.close();
    await database?.drop();
  });
  /** With the login of auth-service, which is enough. */
  const run = async (email: string, role: string, environment: Record<string, string> = {}) =>
    runScript('auth-service/src/run-role-assign.ts', [email, role], {
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
  /** One line, which ends the output. */
  const expectLine = (output: string, pattern: RegExp) =>
    expect(output).to.match(new RegExp(`^${pattern.source}[^\\n]*\\n$`));

  for (const role of PLATFORM_ROLES)
    it(`When a customer is made ${role}, then exit code 0, one line, the role and a record`, async () => {
      const { id, email } = await verifiedUser(['CUSTOMER']);
      const { code, output } = await run(email, role);
      expectLine(output, new RegExp(`${email}.*${role}`));
      expect(code).to.equal(0);
      expect(await rolesOf(id)).to.deep.equal([role, 'CUSTOMER'].sort());
      const [record] = await records.auditOf(id);
      expect(record).to.deep.include({ action: 'ROLE_ASSIGNED', targetType: 'USER', details: { role } });
    });

  it('When the e-mail is given in capitals, then it is the same user', async () => {
    const { id, email } = await verifiedUser();
    expect((await run(email.toUpperCase(), 'OPERATOR')).code).to.equal(0);
    expect(await rolesOf(id)).to.deep.equal(['OPERATOR']);
  });

  it('When the user has a platform role, this one or another, then exit code 1 and PLATFORM_ROLE_TAKEN', async () => {
    const { id, email } = await verifiedUser(['OPERATOR']);
    for (const role of ['OPERATOR', 'ADMIN']) {
      const { code, output } = await run(email, role);
      expectLine(output, /PLATFORM_ROLE_TAKEN/);
      expect(code).to.equal(1);
    }
    expect(await rolesOf(id)).to.deep.equal(['OPERATOR']);
    expect(await records.auditOf(id)).to.deep.equal([]);
  });

  it('When there is no such user, then exit code 1 and USER_NOT_FOUND', async () => {
    const { code, output } = await run(uniqueEmail(), 'ADMIN');
    expectLine(output, /USER_NOT_FOUND/);
    expect(code).to.equal(1);
  });

  it('When the domain is not allowed, then exit code 1 and DOMAIN_NOT_ALLOWED, whether the user exists or not', async () => {
    for (const domain of ['example.net', 'sub.example.com', 'example.com.evil']) {
      const { id, email } = await verifiedUser([], uniqueEmail().replace('example.com', domain));
      const { code, output } = await run(email, 'ADMIN');
      expectLine(output, /DOMAIN_NOT_ALLOWED/);
      expect(code).to.equal(1);
      expect(await rolesOf(id)).to.deep.equal([]);
    }
  });

  it('refuses a user whose e-mail address is not verified, with EMAIL_NOT_VERIFIED', async () => {
    const { id, email } = await records.user(['CUSTOMER']);
    const { code, output } = await run(email, 'ADMIN');
    expectLine(output, /EMAIL_NOT_VERIFIED/);
    expect(code).to.equal(1);
    expect(await rolesOf(id)).to.deep.equal(['CUSTOMER']);
    expect(await records.auditOf(id)).to.deep.equal([]);
  });

  it('refuses to run without a list of allowed domains', async () => {
    const { id, email } = await verifiedUser();
    for (const domains of ['', ',', ' , ', '*', '@example.com']) {
      const { code, output } = await run(email, 'ADMIN', { ADMIN_ALLOWED_DOMAINS: domains });
      expectLine(output, /ADMIN_ALLOWED_DOMAINS/);
      expect(code, domains).to.equal(1);
    }
    expect(await rolesOf(id)).to.deep.equal([]);
  });

  it('takes the allowed domains from ADMIN_ALLOWED_DOMAINS, in any letter case', async () => {
    const { email } = await verifiedUser([], uniqueEmail().replace('example.com', 'corp.test'));
    const domains = { ADMIN_ALLOWED_DOMAINS: 'one.test, CORP.test' };
    expect((await run(email, 'ARBITER', domains)).code).to.equal(0);
    const { email: usual } = await verifiedUser();
    expectLine((await run(usual, 'ARBITER', domains)).output, /DOMAIN_NOT_ALLOWED/);
  });

  it('When two roles are assigned at once, then one is, and the other is refused', async () => {
    const { id, email } = await verifiedUser();
    const outcomes = await Promise.all([run(email, 'OPERATOR'), run(email, 'ARBITER')]);
    expect(outcomes.map(({ code }) => code).sort()).to.deep.equal([0, 1]);
    expect(await rolesOf(id)).to.have.lengthOf(1);
    expect(await records.auditOf(id)).to.have.lengthOf(1);
  });

  it('When e-mail or role is missing, or there is no such role, then exit code 1 and the usage', async () => {
    const words = [
      [],
      ['ada@example.com'],
      ['ada@example.com', 'ROOT'],
      ['ada@example.com', 'CUSTOMER'],
      ['ada@example.com', 'admin'],
    ];
    for (const given of words) {
      const { code, output } = await runScript('auth-service/src/run-role-assign.ts', given, {
        DATABASE_URL: database.url,
      });
      expectLine(output, /Usage: npm run role:assign -- <email> <OPERATOR\|ARBITER\|ADMIN>/);
      expect(code).to.equal(1);
    }
  });

  it('When the record cannot be written, then the role is not assigned either, and the exit code is 1', async () => {
    const { id, email } = await verifiedUser();
    await records.query(
      `create function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
    );
    await records.query(
      'create trigger refusal before insert on audit_records for each row execute function refuse()',
    );
    try {
      const { code, output } = await run(email, 'ADMIN');
      expect(code).to.equal(1);
      expectLine(output, /./);
      expect(await rolesOf(id)).to.deep.equal([]);
    } finally {
      await records.query('drop function refuse cascade');
    }
  });

  describe('without DATABASE_URL', () => {
    let dataDir: string;
    before('write what the embedded stack writes', async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'platform-role-'));
    });
    after('remove it', () => rm(dataDir, { recursive: true, force: true }));

    it('When DATA_DIR has no stack.json, then exit code 1 and one line that says what to do', async () => {
      const { code, output } = await runScript(
        'auth-service/src/run-role-assign.ts',
        ['ada@example.com', 'ADMIN'],
        { DATA_DIR: dataDir },
      );
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
      expect(
        (await runScript('auth-service/src/run-role-assign.ts', [email, 'OPERATOR'], { DATA_DIR: dataDir }))
          .code,
      ).to.equal(0);
      expect(await rolesOf(id)).to.deep.equal(['OPERATOR']);
      const { email: other } = await verifiedUser();
      expectLine(
        (await runScript('auth-service/src/run-role-assign.ts', [other, 'OPERATOR'], { DATA_DIR: dataDir }))
          .output,
        /DOMAIN_NOT_ALLOWED/,
      );
    });

    it('does not use the allowed domains of the embedded stack for another database', async () => {
      await writeStack('example.com');
      const { id, email } = await verifiedUser();
      const other = new URL(database.url);
      other.searchParams.set('application_name', 'another');
      const environment = { DATABASE_URL: other.href, DATA_DIR: dataDir };
      expectLine(
        (await runScript('auth-service/src/run-role-assign.ts', [email, 'ADMIN'], environment)).output,
        /ADMIN_ALLOWED_DOMAINS/,
      );
      await writeStack(null);
      expectLine(
        (await runScript('auth-service/src/run-role-assign.ts', [email, 'ADMIN'], { DATA_DIR: dataDir }))
          .output,
        /ADMIN_ALLOWED_DOMAINS/,
      );
      expect(await rolesOf(id)).to.deep.equal([]);
    });

    it('When the database does not answer, then exit code 1 and one line', async () => {
      const url = 'postgres://nobody@127.0.0.1:1/nothing';
      const { code, output } = await runScript(
        'auth-service/src/run-role-assign.ts',
        ['ada@example.com', 'ADMIN'],
        {
          DATABASE_URL: url,
          ADMIN_ALLOWED_DOMAINS: 'example.com',
        },
      );
      expectLine(output, /SERVICE_UNAVAILABLE/);
      expect(code).to.equal(1);
    });
  });
});
