import { redisUrl } from '@platform/shared/config/addresses';
import { findDatabaseUrl, readEmbeddedStack, runCli } from '@platform/shared/config/cli';
import { ConfigError, readEnvironment } from '@platform/shared/config/env';
import { connectClient } from '@platform/shared/db/connect';
import { PLATFORM_ROLES } from '@platform/shared/platform/access/platform-role';
import { connectRedis, untilReady } from '@platform/shared/redis/redis';
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

/** The Redis of the processes, and that of the mail queue if it is another one. @throws ConfigError */
const findRedisUrls = async (): Promise<string[]> => {
  const embedded = await readEmbeddedStack(process.env);
  const { REDIS_URL, QUEUE_REDIS_URL } = readEnvironment(
    { ...(embedded && { REDIS_URL: embedded.redisUrl }), ...process.env },
    { REDIS_URL: redisUrl(), QUEUE_REDIS_URL: redisUrl({ default: undefined }) },
  );
  return [...new Set([REDIS_URL, QUEUE_REDIS_URL ?? REDIS_URL])];
};

/** Deletes all keys. The platform's account may not run FLUSHDB. @returns their number */
const emptyRedis = async (url: string): Promise<number> => {
  let lastError: Error | undefined;
  const client = connectRedis(url, (error) => {
    lastError = error;
  });
  try {
    await untilReady(client).catch((error: Error) => {
      throw new Error(`Redis is not reachable: ${(lastError ?? error).message}`);
    });
    let deleted = 0;
    let cursor = '0';
    do {
      const page = await client.scan(cursor, { COUNT: 1_000 });
      if (page.keys.length > 0) deleted += await client.unlink(page.keys);
      cursor = page.cursor;
    } while (cursor !== '0');
    return deleted;
  } finally {
    client.destroy();
  }
};

/**
 * Ends all sessions and deletes the invitations and the authenticator apps that nobody has confirmed, in one
 * transaction. It rewrites no user, so its duration does not grow with their number. @returns the lines to print
 */
const secureDatabase = async (client: pg.Client): Promise<string[]> => {
  await client.query('begin');
  // Each access and refresh token is looked up in its token record.
  const { rows: sessions } = await client.query<{ count: number }>(
    'select count(*)::int as count from token_records',
  );
  // Named one by one instead of by `cascade`, which would also empty a table that refers to them later.
  await client.query('truncate token_records, sessions, session_networks');
  await client.query('delete from totp_factors where enabled_at is null');
  // They may have been withdrawn since the backup, and a code makes an ADMIN. Their mails are deleted, too.
  const invitations = await client.query<Role>('delete from invitations returning email, role');
  const { rows } = await client.query<Role>(
    `select u.email, r.role from user_roles r join users u on u.id = r.user_id
     where r.role = any($1) order by r.role, u.email`,
    [PLATFORM_ROLES],
  );
  await client.query('commit');
  return [
    `Sessions ended: ${sessions[0]?.count}`,
    `Invitations deleted: ${invitations.rowCount}`,
    ...invitations.rows.map(toLine),
    'Platform roles, to compare with your records:',
    ...rows.map(toLine),
  ];
};

await runCli(async () => {
  const redisUrls = await findRedisUrls();
  const client = await connectClient(await findDatabaseUrl(process.env));
  try {
    // Timeouts of the role or the database are meant for requests.
    await client.query(
      "set statement_timeout = 0; set lock_timeout = 0; set application_name = 'restore-secure'",
    );
    await requireStoppedProcesses(client);
    // Waiting sign-ins, codes and pending changes. First, because the lines of the database print only once.
    const counts = await Promise.all(redisUrls.map(emptyRedis));
    const deleted = counts.reduce((sum, count) => sum + count, 0);
    return [`Redis keys deleted: ${deleted}`, ...(await secureDatabase(client))].join('\n');
  } finally {
    await client.end(); // rolls back
  }
});
