import pg from 'pg';

/** Lets a frozen server go on. */
export type Thaw = () => Promise<void>;

/** Redis or Valkey stays connected and answers nothing, until it is thawed. */
export const freezeRedis = (pid: number): Thaw => {
  process.kill(pid, 'SIGSTOP');
  return async () => void process.kill(pid, 'SIGCONT');
};

/** Postgres stays connected and answers nothing, until it is thawed: the server and all of its backends are stopped. */
export const freezePostgres = async (databaseUrl: string, pid: number): Promise<Thaw> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  // Nothing needs this connection any more when a failed test leaves the server behind.
  client.on('error', () => undefined);
  await client.connect();
  // First the server, so that no backend is added to the list.
  process.kill(pid, 'SIGSTOP');
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity');
  for (const backend of rows) process.kill(backend.pid, 'SIGSTOP');
  return async () => {
    // The server last: until it has waited for an ended backend, that backend's id belongs to no other process.
    for (const backend of rows) process.kill(backend.pid, 'SIGCONT');
    process.kill(pid, 'SIGCONT');
    await client.end();
  };
};
