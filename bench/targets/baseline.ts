import { join } from 'node:path';
import { type Defer, findPorts, HOST, ROOT, startNode } from './processes.ts';

type Options = { databaseUrl: string; accessSecret: string; directory: string; defer: Defer };

/** See floor-server.ts. */
export const startFloor = async ({ databaseUrl, accessSecret, directory, defer }: Options) => {
  const [port] = await findPorts(1);
  const url = `http://${HOST}:${port}`;
  const env = { DATABASE_URL: databaseUrl, PORT: String(port), ACCESS_SECRET: accessSecret };
  const entry = join(ROOT, 'bench', 'floor-server.ts');
  await startNode({ name: 'floor', entry, cwd: ROOT, env, directory, readyUrl: url }, defer);
  return { url };
};
