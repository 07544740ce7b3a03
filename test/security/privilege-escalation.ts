import { ADMINISTRATOR, bearer, CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { formatStatus } from '@platform/shared/testing/http-client';
import { runScript } from '@platform/shared/testing/process';
import { queryDatabase } from '@platform/shared/testing/query-database';
import type { Fixture } from './fixture.ts';

const readRoles = async ({ records }: Fixture, userId: string): Promise<string> => {
  const rows = await records.query<{ role: string }>(
    'select role from user_roles where user_id = $1 order by role',
    [userId],
  );
  return rows.map(({ role }) => role).join(', ');
};

/** An attacker may sign up first with the address that is about to become ADMIN. */
const testRoleAssignment = async (fixture: Fixture): Promise<void> => {
  fixture.section(
    'Role assignment: rejected unless the e-mail address is verified and its domain is allowed',
  );
  const { id, email } = await fixture.createUser(CUSTOMER);
  const databaseUrl = { DATABASE_URL: fixture.stack.databaseUrl };
  const domains = { ADMIN_ALLOWED_DOMAINS: 'example.com' };
  for (const [name, environment, expected] of [
    ['an unverified e-mail address', { ...databaseUrl, ...domains }, 'EMAIL_NOT_VERIFIED'],
    ['no allowed domains', databaseUrl, 'ADMIN_ALLOWED_DOMAINS'],
    [
      'an empty list of allowed domains',
      { ...databaseUrl, ADMIN_ALLOWED_DOMAINS: ',' },
      'ADMIN_ALLOWED_DOMAINS',
    ],
  ] as const) {
    const { code, output } = await runScript(
      'auth-service/src/run-role-assign.ts',
      [email, 'ADMIN'],
      environment,
    );
    const roles = await readRoles(fixture, id);
    const isRejected = code === 1 && output.startsWith(expected) && roles === 'CUSTOMER';
    fixture.check(isRejected, name, `${output.trim()} (exit code ${code}), roles: ${roles}`);
  }
};

/** The access token is still valid, but its role claim is outdated. */
const testRemovedRole = async (fixture: Fixture): Promise<void> => {
  fixture.section('Removed or changed role: an access token from before grants nothing');
  const target = await fixture.records.user(['CUSTOMER'], { email: uniqueEmail() });
  for (const [event, sql] of [
    ['removed', 'delete from user_roles where user_id = $1'],
    ['changed to OPERATOR', "update user_roles set role = 'OPERATOR' where user_id = $1"],
  ] as const) {
    const admin = await fixture.createUser(ADMINISTRATOR);
    await fixture.records.query(sql, [admin.id]);
    for (const [method, path] of [
      ['GET', '/api/v1/users'],
      ['GET', '/api/v1/administrator/me'],
      ['GET', '/api/v1/administrator/audit-log'],
      ['PATCH', `/api/v1/users/${target.id}/block`],
    ] as const) {
      const headers = bearer(admin.device);
      const response = await fixture.send(path, { method, headers });
      fixture.check(response.status === 403, `role ${event}: ${method} ${path}`, formatStatus(response));
    }
    const register = await fixture.send('/api/v1/auth/admin/register', {
      method: 'POST',
      headers: bearer(admin.device),
      body: { email: uniqueEmail(), password: 'a long passphrase of mine' },
    });
    fixture.check(
      register.status === 403,
      `role ${event}: POST /auth/admin/register`,
      formatStatus(register),
    );
  }
};

export const testPrivilegeEscalation = async (fixture: Fixture): Promise<void> => {
  await testRoleAssignment(fixture);
  await testRemovedRole(fixture);
};

/** SQL that an attacker would run with the database login of a compromised process. */
const STATEMENTS = {
  auth: [
    'update users set is_blocked = false',
    "update user_roles set role = 'ADMIN'",
    'delete from audit_records',
    'select title from projects',
  ],
  admin: [
    'select password_hash from users',
    "update users set password_hash = '-'",
    "insert into user_roles (user_id, role) select id, 'ADMIN' from users limit 1",
    'delete from audit_records',
  ],
  worker: [
    'select email, password_hash from users',
    "update audit_records set action = 'NOTHING'",
    'select message from support_requests',
    'update token_records set refresh_token_expired_at = now()',
  ],
} as const;

const STATEMENTS_FOR_ALL_LOGINS = [
  'update audit_records set created_at = now()',
  'create table stolen (id int)',
  'create temporary table audit_records (id int)',
  'drop table audit_records',
  'alter table users disable trigger all',
  "copy (select 1) to program 'id'",
  "select pg_read_file('/etc/passwd')",
  'set role platform',
  'alter role current_user superuser',
];

export const testDatabaseRights = async ({ section, check, stack }: Fixture): Promise<void> => {
  section('Database logins: each process has only the rights that it needs');
  for (const process of ['auth', 'admin', 'worker'] as const)
    for (const sql of [...STATEMENTS[process], ...STATEMENTS_FOR_ALL_LOGINS]) {
      const outcome = await queryDatabase(stack.databaseUrls[process], sql).then(
        () => 'succeeded',
        (error: Error) => error.message,
      );
      check(/permission denied|must be owner/.test(outcome), `${process}: ${sql}`, outcome);
    }
};
