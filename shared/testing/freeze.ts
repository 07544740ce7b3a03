import pg from 'pg';

/** Continues a frozen server. */
export type Thaw = () => Promise<void>;

/** Stops one process, such as Valkey. Its connections stay open without responses until the thaw. */
export const freezeProcess = (pid: number): Thaw => {
  process.kill(pid, 'SIGSTOP');
  return async () => void process.kill(pid, 'SIGCONT');
};

/** Stops Postgres and all its backends. Its connections stay open without responses until the thaw. */
export const freezePostgres = async (databaseUrl: string, pid: number): Promise<Thaw> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  // Errors of connections that a failed test has left open are irrelevant.
  client.on('error', () => undefined);
  await client.connect();
  // The server is stopped first, so that no backend is added to the list.
  process.kill(pid, 'SIGSTOP');
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity');
  for (const backend of rows) process.kill(backend.pid, 'SIGSTOP');
  return async () => {
    // The server continues last. Until it has reaped an ended backend, the pid of that backend cannot be
    // reused.
    for (const backend of rows) process.kill(backend.pid, 'SIGCONT');
    process.kill(pid, 'SIGCONT');
    await client.end();
  };
};
