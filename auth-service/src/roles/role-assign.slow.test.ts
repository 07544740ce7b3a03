import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { runScript } from '@platform/shared/testing/process';
import { countSessions } from '@platform/shared/testing/query-database';
import type { Role } from '@platform/shared/testing/records';
import { addSecondFactor } from '@platform/shared/testing/second-factors';
import { withLoginOf } from '@platform/shared/testing/test-database';
import { useDatabase } from '@platform/shared/testing/use-database';
import { expect } from 'chai';

describe('npm run role:assign', () => {
  const { url, records } = useDatabase();
  const runScriptWith = (args: string[], environment: Record<string, string>) =>
    runScript('auth-service/src/run-role-assign.ts', args, environment);
  /** The login of auth-service has sufficient rights for the command. */
  const run = async (email: string, role: string, environment: Record<string, string> = {}) =>
    runScriptWith([email, role], {
      DATABASE_URL: await withLoginOf('auth', url()),
      ADMIN_ALLOWED_DOMAINS: 'example.com',
      ...environment,
    });
  const verifiedUser = (roles: readonly Role[] = [], email = uniqueEmail()) =>
    records().user(roles, { email, isEmailVerified: true });
  const rolesOf = async (userId: string) =>
    (
      await records().query<{ role: string }>(
        'select role from user_roles where user_id = $1 order by role',
        [userId],
      )
    ).map(({ role }) => role);
  /** The last line of the output. */
  const expectLine = (output: string, pattern: RegExp) =>
    expect(output).to.match(new RegExp(`^${pattern.source}[^\\n]*\\n$`));

  it('assigns the role, with exit code 0, one line and an audit record', async () => {
    const { id, email } = await verifiedUser(['CUSTOMER']);
    const output = `${email} is now ARBITER. Second factors: none. All sessions have ended.\n`;
    expect(await run(email, 'ARBITER')).to.deep.equal({ code: 0, output });
    expect(await rolesOf(id)).to.deep.equal(['ARBITER', 'CUSTOMER']);
    const [record] = await records().auditOf(id);
    expect(record).to.deep.include({
      action: 'ROLE_ASSIGNED',
      actorId: null,
      targetType: 'USER',
      requestId: 'role-assign',
      address: 'command line',
      details: { role: 'ARBITER' },
    });
  });

  it('finds the e-mail and the allowed domain in any letter case, and prints the second factors', async () => {
    const { id, email } = await verifiedUser(['CUSTOMER'], uniqueEmail().replace('example.com', 'corp.test'));
    await addSecondFactor(records(), id);
    await records().registeredToken(id, { secret: 'any secret' });
    const domains = { ADMIN_ALLOWED_DOMAINS: 'one.test, CORP.test' };
    const { output } = await run(email.toUpperCase(), 'ADMIN', domains);
    expectLine(output, /.* Second factors: an authenticator app, passkey "Key"\. /);
    expect(await countSessions(url(), id)).to.deep.include({ tokenRecords: 0 });
  });

  it('exits with 1 and the code of an error', async () => {
    const { id, email } = await verifiedUser(
      ['CUSTOMER'],
      uniqueEmail().replace('example.com', 'example.net'),
    );
    for (const [address, error] of [
      [uniqueEmail(), /USER_NOT_FOUND: /],
      [email, /DOMAIN_NOT_ALLOWED: /],
    ] as const) {
      const { code, output } = await run(address, 'ADMIN');
      expect(code).to.equal(1);
      expectLine(output, error);
    }
    expect(await rolesOf(id)).to.deep.equal(['CUSTOMER']);
  });

  it('exits with 1 and the usage for missing arguments and for an unknown role', async () => {
    for (const args of [[], ['ada@example.com', 'CUSTOMER']]) {
      const { code, output } = await runScriptWith(args, { DATABASE_URL: url() });
      expectLine(output, /Usage: npm run role:assign -- <email> <ADMIN\|OPERATOR\|ARBITER>/);
      expect(code).to.equal(1);
    }
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

    const writeStack = (adminAllowedDomains: string) =>
      writeFile(join(dataDir, 'stack.json'), JSON.stringify({ databaseUrl: url(), adminAllowedDomains }));

    it('uses the database and the allowed domains of the embedded stack', async () => {
      await writeStack('corp.test');
      const { id, email } = await verifiedUser([], uniqueEmail().replace('example.com', 'corp.test'));
      expect((await runScriptWith([email, 'OPERATOR'], { DATA_DIR: dataDir })).code).to.equal(0);
      expect(await rolesOf(id)).to.deep.equal(['OPERATOR']);
    });

    it('does not use the allowed domains of the embedded stack for another database', async () => {
      await writeStack('example.com');
      const { id, email } = await verifiedUser();
      const other = new URL(url());
      other.searchParams.set('application_name', 'another');
      const environment = { DATABASE_URL: other.href, DATA_DIR: dataDir };
      expectLine((await runScriptWith([email, 'ADMIN'], environment)).output, /ADMIN_ALLOWED_DOMAINS/);
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
