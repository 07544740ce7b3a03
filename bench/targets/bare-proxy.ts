import { join } from 'node:path';
import { type Defer, findPorts, HOST, ROOT, startNode } from './processes.ts';

type Options = { upstreamUrl: string; directory: string; defer: Defer };

/** See bare-proxy-server.ts. */
export const startBareProxy = async ({ upstreamUrl, directory, defer }: Options) => {
  const [port] = await findPorts(1);
  const url = `http://${HOST}:${port}`;
  const env = { UPSTREAM_URL: upstreamUrl, PORT: String(port) };
  const entry = join(ROOT, 'bench', 'bare-proxy-server.ts');
  await startNode({ name: 'bare-proxy', entry, cwd: ROOT, env, directory, readyUrl: url }, defer);
  return { url };
};
