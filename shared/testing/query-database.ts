import pg from 'pg';

/** Runs one statement on a new connection, for state that no route creates or returns. */
export const queryDatabase = async <Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // When the server is killed, the query rejects as well. Without a listener, the event would end this
  // process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
};

/** Returns every row of every table as text, with the name of its table. */
export const dumpDatabase = async (url: string): Promise<{ table: string; row: string }[]> => {
  const tables = await queryDatabase<{ table: string }>(
    url,
    `select c.oid::regclass::text as table from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'm') and not c.relispartition and n.nspname !~ '^(pg_|information_schema$)'`,
  );
  const dumps = tables.map(({ table }) =>
    queryDatabase<{ table: string; row: string }>(url, `select $1 as table, t::text as row from ${table} t`, [
      table,
    ]),
  );
  return (await Promise.all(dumps)).flat();
};

/** Counts the sessions and token records of a user. */
export const countSessions = async (
  url: string,
  userId: string,
): Promise<{ sessions: number; tokenRecords: number }> => {
  const [counts] = await queryDatabase<{ sessions: number; tokenRecords: number }>(
    url,
    `select (select count(*) from sessions where user_id = $1)::int as sessions,
       (select count(*) from token_records where user_id = $1)::int as "tokenRecords"`,
    [userId],
  );
  if (!counts) throw new Error('Postgres returned no counts');
  return counts;
};

/** Second factors need a verified address, whose owner would enter a code. */
export const verifyEmail = async (url: string, userId: string): Promise<void> => {
  await queryDatabase(url, 'update users set is_email_verified = true where id = $1', [userId]);
};

export const setBlocked = async (url: string, userId: string, isBlocked: boolean): Promise<void> => {
  await queryDatabase(url, 'update users set is_blocked = $2 where id = $1', [userId, isBlocked]);
};

/** Moves the latest refresh of the session into the past. */
export const backdateRefresh = async (url: string, sessionId: string, seconds: number): Promise<void> => {
  await queryDatabase(
    url,
    `update token_records set refreshed_at = refreshed_at - make_interval(secs => $2)
     where id = (select token_id from sessions where id = $1)`,
    [sessionId, seconds],
  );
};

/** The number of deadlocks in the database that the backends have reported so far. */
export const countDeadlocks = async (url: string): Promise<number> => {
  const [row] = await queryDatabase<{ deadlocks: number }>(
    url,
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  );
  return row?.deadlocks ?? 0;
};

/** Makes each statement of this kind on the table fail during `work`. */
export const withFailing = async (
  url: string,
  operation: 'insert' | 'update' | 'delete',
  table: string,
  work: () => Promise<void>,
): Promise<void> => {
  await queryDatabase(
    url,
    `create or replace function fail() returns trigger language plpgsql as $$ begin raise exception 'made to fail'; end $$;
     create trigger fails after ${operation} on ${table} execute function fail()`,
  );
  try {
    await work();
  } finally {
    await queryDatabase(url, `drop trigger fails on ${table}`);
  }
};

/**
 * Makes the database read-only, like a standby or a demoted primary. The setting applies to new connections,
 * so the open ones are closed.
 */
export const setReadOnly = async (url: string, isReadOnly: boolean): Promise<void> => {
  const name = new URL(url).pathname.slice(1);
  const setting = `default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`;
  await queryDatabase(url, `set transaction read write; alter database ${name} set ${setting}`);
  await queryDatabase(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  );
};
