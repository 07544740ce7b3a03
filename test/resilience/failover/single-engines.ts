import { join } from 'node:path';
import { startPostgres } from '@platform/dev/engines/postgres';
import { startValkey } from '@platform/dev/engines/valkey';
import { findPorts } from '../platform.ts';

export const startSinglePostgres = async (dataDir: string) => {
  const [port = 0] = await findPorts(1);
  const postgres = await startPostgres({ dataDir, port, logFile: join(dataDir, 'postgres.log') });
  // Otherwise an interrupted run would leave the server running.
  process.once('exit', postgres.kill);
  return postgres;
};

export const startSingleValkey = async (dataDir: string) => {
  const [port = 0] = await findPorts(1);
  return await startValkey({ port, logFile: join(dataDir, 'valkey.log') });
};
