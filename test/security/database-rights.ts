import { queryDatabase } from '@platform/shared/testing/query-database';
import type { Scene } from './fixture.ts';

/** What an attacker would try who has taken over a process, and so has its database login. */
const ATTEMPTS = {
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

const WITH_ANY_LOGIN = [
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

/** With the login of each process: what is not its work is refused. */
export const attackWithDatabaseLogins = async ({ section, check, stack }: Scene): Promise<void> => {
  section('With the database login of a process');
  for (const process of ['auth', 'admin', 'worker'] as const)
    for (const text of [...ATTEMPTS[process], ...WITH_ANY_LOGIN]) {
      const attempt = queryDatabase(stack.databaseUrls[process], text);
      const answer = await attempt.then(
        () => 'it was done',
        (error: Error) => error.message,
      );
      check(/permission denied|must be owner/.test(answer), `${process}: ${text}`, answer);
    }
};
