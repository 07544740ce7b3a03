import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { DatabaseProcess } from '../src/db/database-rights.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const START_SECONDS = 60;
const STOP_SECONDS = 20;
/** Ends the stack when the test run dies without stopping it. */
const TETHER = fileURLToPath(new URL('../../dev/exit-with-parent.ts', import.meta.url));

type ProcessName = 'stack' | 'gateway' | 'auth' | 'admin' | 'worker' | 'postgres' | 'redis' | 'inbox';

/** What the embedded stack says of itself in stack.json. */
export type StackFile = {
  gatewayUrl: string;
  authUrl: string;
  adminUrl: string;
  inboxUrl: string;
  /** As the owner. */
  databaseUrl: string;
  databaseUrls: Record<DatabaseProcess, string>;
  redisUrl: string;
  smtpUrl: string;
  opsUrls: Record<'gateway' | 'auth' | 'admin' | 'worker', string>;
  pids: Record<ProcessName, number>;
};

export type RunningStack = {
  stack: StackFile;
  dataDir: string;
  /** stack.json as it is now: a restarted process has another pid. */
  read: () => Promise<StackFile>;
  /** Stops everything and removes the data. */
  stop: () => Promise<void>;
};

/** Unlike a developer's: any free port, no demo data, quick hashes, and nothing of what the shell happens to set. */
const TEST_ENVIRONMENT = {
  NODE_ENV: '',
  DATABASE_URL: '',
  AUTH_DATABASE_URL: '',
  ADMIN_DATABASE_URL: '',
  WORKER_DATABASE_URL: '',
  REDIS_URL: '',
  SMTP_URL: '',
  CORS_ORIGINS: '',
  RATE_LIMIT_SCALE: '',
  GATEWAY_PORT: '0',
  AUTH_API_PORT: '0',
  ADMIN_API_PORT: '0',
  INBOX_PORT: '0',
  SEED_DEMO: 'off',
  BCRYPT_COST: '4',
  LOG_LEVEL: 'info',
  OTEL_EXPORTER_OTLP_ENDPOINT: '',
};

const readStackFile = async (dataDir: string): Promise<StackFile> =>
  JSON.parse(await readFile(join(dataDir, 'stack.json'), 'utf8')) as StackFile;

const waitUntilReady = async (
  dataDir: string,
  child: ChildProcess,
  output: () => string,
): Promise<StackFile> => {
  const deadline = Date.now() + START_SECONDS * 1_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The stack did not start:\n${output()}`);
    const stack = await readStackFile(dataDir).catch(() => undefined);
    if (stack) return stack;
    await delay(50);
  }
  throw new Error(`The stack was not ready within ${START_SECONDS} s:\n${output()}`);
};

const removeData = async (dataDir: string): Promise<void> => {
  // Run by root, the cluster may lie outside, behind a link.
  const cluster = await realpath(join(dataDir, 'postgres')).catch(() => undefined);
  if (cluster) await rm(cluster, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
};

const endProcess = async (child: ChildProcess, output: () => string): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const deadline = setTimeout(() => child.kill('SIGKILL'), STOP_SECONDS * 1_000);
  child.kill('SIGTERM');
  const [, signal] = await ended;
  clearTimeout(deadline);
  if (signal === 'SIGKILL') throw new Error(`The stack did not stop within ${STOP_SECONDS} s:\n${output()}`);
};

/** Runs `npm start`'s program on data of its own. */
export const startStack = async (environment: Record<string, string> = {}): Promise<RunningStack> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'platform-test-'));
  await chmod(dataDir, 0o755);
  const child = spawn(process.execPath, ['--import', TETHER, 'run.mjs', 'dev/start.ts'], {
    cwd: ROOT,
    env: { ...process.env, ...TEST_ENVIRONMENT, ...environment, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const stop = async () => {
    await endProcess(child, () => output);
    await removeData(dataDir);
  };
  try {
    const stack = await waitUntilReady(dataDir, child, () => output);
    return { stack, dataDir, read: () => readStackFile(dataDir), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** One that somebody else started, and will stop. */
export const joinStack = async (dataDir: string): Promise<RunningStack> => ({
  stack: await readStackFile(dataDir),
  dataDir,
  read: () => readStackFile(dataDir),
  stop: async () => undefined,
});

let running: Promise<RunningStack> | undefined;

/**
 * The one stack of a test run, started by the first test that needs it. While a test is being written TEST_STACK_DIR,
 * the data directory of one that runs already, saves the start.
 */
export const sharedStack = (): Promise<RunningStack> => {
  const existing = process.env['TEST_STACK_DIR'];
  running ??= existing ? joinStack(existing) : startStack();
  return running;
};

export const stopSharedStack = async (): Promise<void> => {
  const stack = await running?.catch(() => undefined);
  await stack?.stop();
};
