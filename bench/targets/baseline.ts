import { join } from 'node:path';
import { type Defer, findPorts, HOST, ROOT, startNode } from './processes.ts';

/** A server that is running, and its process. */
export type Started = { url: string; pid: number };
type Options = { directory: string; defer: Defer };

/** Starts a server of bench/targets that reads PORT. */
const startServer = async (
  name: string,
  env: Record<string, string>,
  { directory, defer }: Options,
): Promise<Started> => {
  const [port] = await findPorts(1);
  const url = `http://${HOST}:${port}`;
  const entry = join(import.meta.dirname, `${name}-server.ts`);
  const program = { name, entry, cwd: ROOT, env: { ...env, PORT: String(port) }, directory };
  const { pid } = await startNode({ ...program, readyUrl: url }, defer);
  return { url, pid: pid() ?? 0 };
};

/** http-proxy-middleware on Express without any addition (bare-proxy-server.ts). */
export const startBareProxy = (upstreamUrl: string, options: Options): Promise<Started> =>
  startServer('bare-proxy', { UPSTREAM_URL: upstreamUrl }, options);

export type Tutorial = { url: string; pids: { gateway: number; service: number } };

/** Starts `me` as a tutorial would build it (tutorial-server.ts), behind the bare proxy. */
export const startTutorial = async (
  { databaseUrl, accessSecret }: { databaseUrl: string; accessSecret: string },
  options: Options,
): Promise<Tutorial> => {
  const env = { DATABASE_URL: databaseUrl, ACCESS_SECRET: accessSecret };
  const service = await startServer('tutorial', env, options);
  const gateway = await startBareProxy(service.url, options);
  return { url: gateway.url, pids: { gateway: gateway.pid, service: service.pid } };
};
