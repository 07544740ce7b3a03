import { fileURLToPath } from 'node:url';
import { nodeCommand } from '../child-process.ts';
import { respondsToPing } from '../ports.ts';
import { type ProcessPlan, type SupervisedProcess, superviseProcess } from '../supervisor.ts';

type ValkeyOptions = { port: number; logFile: string; env?: NodeJS.ProcessEnv };

const host = '127.0.0.1';
const entry = fileURLToPath(new URL('./valkey-server.ts', import.meta.url));

/** The process of the embedded Valkey, which keeps its data only in memory. */
export const planValkey = ({
  port,
  logFile,
  env = process.env,
}: ValkeyOptions): { plan: ProcessPlan; url: string } => ({
  plan: {
    name: 'valkey',
    command: nodeCommand(entry, { ...env, VALKEY_PORT: String(port) }, import.meta.dirname, logFile),
    isReady: () => respondsToPing(port, host),
  },
  url: `redis://${host}:${port}`,
});

/** Starts only Valkey, for tests. */
export const startValkey = async (options: ValkeyOptions): Promise<SupervisedProcess & { url: string }> => {
  const { plan, url } = planValkey(options);
  const server = superviseProcess(plan);
  await server.start();
  return { ...server, url };
};
