import { findDatabaseUrl, runCli } from '@platform/shared/config/cli';
import { ConfigError } from '@platform/shared/config/env';
import { connectClient } from '@platform/shared/db/connect';
import { PLATFORM_ROLES } from '@platform/shared/platform/access/platform-role';
import type pg from 'pg';

// `npm run restore:secure`: run it after a restore, before any process starts. It is in this workspace,
// because only the image of the migrations has the login of the database owner.

const CONNECTED_PROCESSES = `
  select distinct application_name as name from pg_stat_activity
  where datname = current_database() and application_name in ('auth-service', 'admin-service', 'mailer-worker')
  order by name`;

/** A running process could accept a sign-in with an old password in the meantime. @throws ConfigError */
const requireStoppedProcesses = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(CONNECTED_PROCESSES);
  if (rows.length > 0)
    throw new ConfigError(`Stop ${rows.map(({ name }) => name).join(', ')}: connected to this database`);
};

type Role = { email: string; role: string };

const toLine = ({ email, role }: Role): string => `  ${role} ${email}`;

/**
 * Ends all sessions, waiting sign-ins, pending changes of an e-mail and invitations, in one transaction.
 * @returns the lines to print
 */
const secure = async (client: pg.Client): Promise<string[]> => {
  // Timeouts of the role or the database are meant for requests.
  await client.query(
    "set statement_timeout = 0; set lock_timeout = 0; set application_name = 'restore-secure'",
  );
  await requireStoppedProcesses(client);
  await client.query('begin');
  // Each access and refresh token is looked up in its token record.
  const { rowCount } = await client.query('delete from token_records');
  await client.query('update users set factor_version = factor_version + 1');
  // They may have been withdrawn since the backup, and a code makes an ADMIN. Their mails are deleted, too.
  const invitations = await client.query<Role>('delete from invitations returning email, role');
  const { rows } = await client.query<Role>(
    `select u.email, r.role from user_roles r join users u on u.id = r.user_id
     where r.role = any($1) order by r.role, u.email`,
    [PLATFORM_ROLES],
  );
  await client.query('commit');
  return [
    `Sessions ended: ${rowCount}`,
    `Invitations deleted: ${invitations.rowCount}`,
    ...invitations.rows.map(toLine),
    'Platform roles, to compare with your records:',
    ...rows.map(toLine),
  ];
};

await runCli(async () => {
  const client = await connectClient(await findDatabaseUrl(process.env));
  try {
    return (await secure(client)).join('\n');
  } finally {
    await client.end(); // rolls back
  }
});
