import { PLATFORM_ROLES } from '@platform/shared/access/platform-role';
import { ConfigError } from '@platform/shared/config/env';
import { connectClient } from '@platform/shared/db/connect';
import type pg from 'pg';
import type { RecordedChange, RepeatedAction } from './recorded-changes.ts';

export type SecureResult = {
  endedSessions: number;
  /** The number of repeated changes by action. */
  repeated: Partial<Record<RepeatedAction, number>>;
  /** Changes that the restored database contains. */
  known: number;
  /** Changes of users that the restored database does not contain. */
  ofUnknownUsers: number;
  /** The e-mail addresses of users who must reset their password. */
  withoutPassword: string[];
  platformRoles: { email: string; role: string }[];
};

/** As in /etc/shadow: not a bcrypt hash, so no password matches. A reset by code replaces it. */
const UNUSABLE_HASH = '!';

const DISABLE_PASSWORD = `update users set password_hash = '${UNUSABLE_HASH}', updated_at = now() where id = $1`;

const STATEMENTS: Record<RepeatedAction, string> = {
  USER_BLOCKED: 'update users set is_blocked = true, updated_at = now() where id = $1',
  USER_UNBLOCKED: 'update users set is_blocked = false, updated_at = now() where id = $1',
  PASSWORD_CHANGED: DISABLE_PASSWORD,
  PASSWORD_RESET: DISABLE_PASSWORD,
  ROLE_REMOVED: `delete from user_roles where user_id = $1 and role in ('${PLATFORM_ROLES.join("', '")}')`,
};

/**
 * Inserts the audit record of a change unless the database has it: restored, or inserted by an earlier run. Clients may
 * repeat request ids, so the time must be similar; it differs because the log line is written after the commit.
 */
const INSERT_UNLESS_KNOWN = `
  insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details)
  select $1, $2, 'USER', $3, $4, $5, jsonb_build_object('repeatedFrom', $6::text)
  where not exists (
    select from audit_records a
    where a.target_id = $3 and a.action = $1 and a.request_id = $4
      and coalesce((a.details->>'repeatedFrom')::timestamptz, a.created_at)
        between $6::timestamptz - interval '1 minute' and $6::timestamptz + interval '1 minute'
  )`;

const CONNECTED_PROCESSES = `
  select distinct application_name as name from pg_stat_activity
  where datname = current_database() and application_name in ('auth-service', 'admin-service', 'mailer-worker')
  order by name`;

/** A process that runs could accept a sign-in with an old password meanwhile. @throws ConfigError */
const requireStoppedProcesses = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(CONNECTED_PROCESSES);
  if (rows.length > 0)
    throw new ConfigError(`Stop ${rows.map(({ name }) => name).join(', ')}: connected to this database`);
};

const repeatChanges = async (client: pg.Client, changes: readonly RecordedChange[]) => {
  const repeated: SecureResult['repeated'] = {};
  const withoutPassword = new Set<string>();
  let known = 0;
  let ofUnknownUsers = 0;
  for (const { time, action, userId, actorId, requestId, address } of changes) {
    const { rows } = await client.query<{ email: string }>('select email from users where id = $1', [userId]);
    const [user] = rows;
    const values = [action, actorId, userId, requestId, address, time];
    if (!user) ofUnknownUsers += 1;
    else if ((await client.query(INSERT_UNLESS_KNOWN, values)).rowCount === 0) known += 1;
    else {
      await client.query(STATEMENTS[action], [userId]);
      repeated[action] = (repeated[action] ?? 0) + 1;
      if (STATEMENTS[action] === DISABLE_PASSWORD) withoutPassword.add(user.email);
    }
  }
  return { repeated, known, ofUnknownUsers, withoutPassword: [...withoutPassword].sort() };
};

const readPlatformRoles = async (client: pg.Client): Promise<SecureResult['platformRoles']> => {
  const { rows } = await client.query<{ email: string; role: string }>(
    `select u.email, r.role from user_roles r join users u on u.id = r.user_id
     where r.role = any($1) order by r.role, u.email`,
    [PLATFORM_ROLES],
  );
  return rows;
};

/**
 * Ends all sessions of a restored database, and repeats the changes that it has lost, in one transaction. A second run
 * changes nothing.
 * @throws ConfigError while a process is connected
 */
export const secureRestoredDatabase = async (
  databaseUrl: string,
  changes: readonly RecordedChange[],
): Promise<SecureResult> => {
  const client = await connectClient(databaseUrl);
  try {
    // Timeouts of the role or the database are meant for requests.
    await client.query(
      "set statement_timeout = 0; set lock_timeout = 0; set application_name = 'restore-secure'",
    );
    await requireStoppedProcesses(client);
    await client.query('begin');
    // Every access and refresh token is looked up in its token record; superseded ones are deleted with it.
    const { rowCount } = await client.query('delete from token_records');
    const result = await repeatChanges(client, changes);
    const platformRoles = await readPlatformRoles(client);
    await client.query('commit');
    return { endedSessions: rowCount ?? 0, ...result, platformRoles };
  } finally {
    await client.end(); // rolls back
  }
};
