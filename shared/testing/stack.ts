import { glob, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { STACK_SECONDS } from '../src/async/patience.ts';
import { createDataDirectory, registerProcess } from './data-directory.ts';
import { waitFor } from './poll.ts';
import { type NodeProcess, type ProcessOptions, startProcess } from './process.ts';
import { RECORDER_ENVIRONMENT } from './record-responses.ts';

export type ProcessName = 'stack' | 'gateway' | 'auth' | 'admin' | 'worker' | 'postgres' | 'redis' | 'inbox';

/** The content of stack.json, which the development stack writes. */
export type StackFile = {
  gatewayUrl: string;
  authUrl: string;
  adminUrl: string;
  inboxUrl: string;
  /** The issuer of the provider `company`, or null if OIDC_PROVIDERS is set. */
  oidcIssuer: string | null;
  /** The URL with the login of the owner. */
  databaseUrl: string;
  databaseUrls: Record<'auth' | 'admin' | 'worker', string>;
  redisUrl: string;
  secondFactorKey: { current: string; previous: string[] };
  smtpUrl: string;
  opsUrls: Record<'gateway' | 'auth' | 'admin' | 'worker', string>;
  pids: Record<ProcessName, number>;
  /** Only with a test bench. */
  testBench?: { url: string; secret: string };
  proxiedGatewayUrl?: string;
};

export type RunningStack = {
  stack: StackFile;
  dataDir: string;
  /** Reads the current stack.json, because a restarted process has another pid. */
  read: () => Promise<StackFile>;
  /** Stops everything and deletes the data. */
  stop: () => Promise<void>;
};

/** Any free port, no demo data, cheap hashes, and no settings of the shell. */
const TEST_ENVIRONMENT = {
  NODE_ENV: '',
  LISTEN_HOST: '',
  DATABASE_URL: '',
  AUTH_DATABASE_URL: '',
  ADMIN_DATABASE_URL: '',
  WORKER_DATABASE_URL: '',
  REDIS_URL: '',
  QUEUE_REDIS_URL: '',
  SMTP_URL: '',
  CORS_ORIGINS: '',
  RATE_LIMIT_SCALE: '',
  GATEWAY_PORT: '0',
  AUTH_API_PORT: '0',
  ADMIN_API_PORT: '0',
  INBOX_PORT: '0',
  OIDC_PORT: '0',
  TEST_BENCH_PORT: '0',
  OIDC_PROVIDERS: '',
  SERVICES: '',
  // Building the pages takes a second, and only the browser tests open them.
  PAGES: 'off',
  SEED_DEMO: 'off',
  SEED_PASSWORD: '',
  BCRYPT_COST: '4',
  LOG_LEVEL: 'info',
  OTEL_EXPORTER_OTLP_ENDPOINT: '',
};

type SpawnOptions = Pick<ProcessOptions, 'detached' | 'cwd'> & {
  /** The entry point; by default that of `npm start`. */
  program?: string;
};

/** Runs the development stack on a data directory. */
export const spawnStack = (
  dataDir: string,
  environment: Record<string, string> = {},
  { program = 'dev/start.ts', ...options }: SpawnOptions = {},
): NodeProcess =>
  startProcess(['run.mjs', program], {
    environment: {
      ...process.env,
      ...RECORDER_ENVIRONMENT,
      ...TEST_ENVIRONMENT,
      ...environment,
      DATA_DIR: dataDir,
    },
    ...options,
  });

export const readStackFile = async (dataDir: string): Promise<StackFile> =>
  JSON.parse(await readFile(join(dataDir, 'stack.json'), 'utf8')) as StackFile;

/** Resolves with stack.json when the stack is ready. Fails if the process exits first. */
export const waitUntilReady = (dataDir: string, { hasExited, output }: NodeProcess): Promise<StackFile> =>
  waitFor(
    'the stack is ready',
    async () => {
      if (hasExited()) throw new Error(`The stack did not start:\n${output()}`);
      return output().includes('The platform is ready') && (await readStackFile(dataDir));
    },
    STACK_SECONDS,
  );

/** When a stack runs as root, its database may be elsewhere, behind a link (dev/engines/postgres-paths.ts). */
const findLinkedDatabases = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const links = entries.filter((entry) => entry.name === 'postgres' && entry.isSymbolicLink());
  const databases = await Promise.all(links.map(({ parentPath, name }) => readlink(join(parentPath, name))));
  return databases.filter((database) => basename(database).startsWith('postgres-data-'));
};

/** Deletes a folder that is or contains the data directories of stacks, with their databases. */
export const removeData = async (folder: string): Promise<void> => {
  for (const database of await findLinkedDatabases(folder))
    for await (const path of glob(`${database}*`)) await rm(path, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
};

/** Runs the development stack on new data. @param cwd another checkout; by default this one */
export const startStack = async (
  environment: Record<string, string> = {},
  cwd?: string,
  program?: string,
): Promise<RunningStack> => {
  const dataDir = await createDataDirectory('platform-test-');
  const stackProcess = spawnStack(dataDir, environment, {
    ...(cwd !== undefined && { cwd }),
    ...(program !== undefined && { program }),
  });
  await registerProcess(dataDir, stackProcess.pid);
  const stop = async () => {
    const { signal } = await stackProcess.stop(STACK_SECONDS);
    await removeData(dataDir);
    if (signal === 'SIGKILL')
      throw new Error(`The stack did not stop within ${STACK_SECONDS} s:\n${stackProcess.output()}`);
  };
  try {
    const stack = await waitUntilReady(dataDir, stackProcess);
    return { stack, dataDir, read: () => readStackFile(dataDir), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
