import { PLATFORM_ROLES } from '@platform/shared/access/platform-role';
import { ConfigError } from '@platform/shared/config/env';
import { connectClient } from '@platform/shared/db/connect';
import type pg from 'pg';
import type { RecordedChange, RepeatedAction } from './recorded-changes.ts';
import {
  BLOCK,
  deleteAccount,
  disablesPassword,
  insertAuditRecord,
  isKnown,
  STATEMENTS,
} from './repeat-change.ts';

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

const createRepetition = () => ({
  counts: {
    repeated: {} as Partial<Record<RepeatedAction, number>>,
    /** Changes that the restored database contains. */
    known: 0,
    /** Changes of users that the restored database does not contain. */
    ofUnknownUsers: 0,
  },
  /** The ids of users who must reset their password. */
  withoutPassword: new Set<string>(),
  /** Why users are blocked, by id: only a person can repeat their change. */
  toBlock: new Map<string, string>(),
});

type Repetition = ReturnType<typeof createRepetition>;

/** A change that cannot be repeated is no known one: another run tries again. */
const repeatChange = async (client: pg.Client, change: RecordedChange, repetition: Repetition) => {
  const { action, userId } = change;
  const { counts, withoutPassword, toBlock } = repetition;
  if (await isKnown(client, change)) {
    counts.known += 1;
    return;
  }
  for (const statement of STATEMENTS[action]) await client.query(statement, [userId]);
  if (STATEMENTS[action].some(disablesPassword)) withoutPassword.add(userId);
  if (action === 'EMAIL_CHANGED') toBlock.set(userId, action);
  const obstacle = action === 'ACCOUNT_DELETED' ? await deleteAccount(client, userId) : null;
  if (obstacle !== null) {
    toBlock.set(userId, `${action} ${obstacle}`);
    withoutPassword.delete(userId);
    return;
  }
  await insertAuditRecord(client, change);
  counts.repeated[action] = (counts.repeated[action] ?? 0) + 1;
};

/** After all changes, because a repeated unblock must not end the block, and a deleted account needs none. */
const blockUsers = async (client: pg.Client, toBlock: Repetition['toBlock']) => {
  const blocked: { email: string; reason: string }[] = [];
  for (const [userId, reason] of toBlock) {
    const { rows } = await client.query<{ email: string }>(BLOCK, [userId, reason]);
    blocked.push(...rows.map(({ email }) => ({ email, reason })));
  }
  return blocked;
};

const repeatChanges = async (client: pg.Client, changes: readonly RecordedChange[]) => {
  const repetition = createRepetition();
  for (const change of changes) {
    const { rowCount } = await client.query('select 1 from users where id = $1', [change.userId]);
    if (rowCount === 0) repetition.counts.ofUnknownUsers += 1;
    else await repeatChange(client, change, repetition);
  }
  const blocked = await blockUsers(client, repetition.toBlock);
  const { rows } = await client.query<{ email: string }>(
    'select email from users where id = any($1) and email is not null order by email',
    [[...repetition.withoutPassword]],
  );
  return { ...repetition.counts, blocked, withoutPassword: rows.map(({ email }) => email) };
};

const readPlatformRoles = async (client: pg.Client) => {
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
export const secureRestoredDatabase = async (databaseUrl: string, changes: readonly RecordedChange[]) => {
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

export type SecureResult = Awaited<ReturnType<typeof secureRestoredDatabase>>;
