import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { waitFor } from '@platform/shared/testing/poll';
import { processesIn } from '../process-identity.ts';
import { errorCode } from '../stack-error.ts';
import type { StackDescription } from '../stack-file.ts';

/** A `npm start` under test, as a process of its own. */
export type StackProcess = {
  pid: number;
  output(): string;
  /** Settles when it has ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

const root = dirname(dirname(import.meta.dirname));

/** Should the test run be killed, the stack under test goes, too. */
const tether = new URL('../exit-with-parent.ts', import.meta.url).href;

const anyPorts = { GATEWAY_PORT: '0', AUTH_API_PORT: '0', ADMIN_API_PORT: '0', INBOX_PORT: '0' };
/** What the test run itself was given must not reach the stack under test. */
const unset = {
  ...{ DATABASE_URL: '', AUTH_DATABASE_URL: '', ADMIN_DATABASE_URL: '', WORKER_DATABASE_URL: '' },
  ...{ REDIS_URL: '', SMTP_URL: '', SEED_DEMO: '', SEED_PASSWORD: '', HOST: '' },
};

const waitForEnd = (child: ChildProcess): StackProcess['ended'] =>
  new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));

/** Starts a stack, in a process group of its own as in a terminal, with quick password hashes and any free ports. */
export const spawnStack = (dataDir: string, env: NodeJS.ProcessEnv = {}): StackProcess => {
  const child = spawn(process.execPath, ['--import', tether, 'run.mjs', 'dev/start.ts'], {
    cwd: root,
    env: { ...process.env, ...unset, ...anyPorts, BCRYPT_COST: '4', ...env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data) => {
      text += data;
    });
  }
  return { pid: child.pid ?? 0, output: () => text, ended: waitForEnd(child) };
};

export const readStackFile = (dataDir: string): StackDescription | undefined => {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'stack.json'), 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/** Starts a stack and waits until it is ready. */
export const startStack = async (dataDir: string, env: NodeJS.ProcessEnv = {}) => {
  const stack = spawnStack(dataDir, env);
  let isOver = false;
  void stack.ended.then(() => {
    isOver = true;
  });
  const isReady = () => stack.output().includes('is ready');
  await waitFor('the stack is ready', () => isOver || isReady(), 60);
  const description = readStackFile(dataDir);
  if (isOver || !description) throw new Error(`The stack did not start:\n${stack.output()}`);
  return { ...stack, description };
};

const readEnvironment = (pid: number): string[] => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return []; // gone, or another user's
  }
};

/** The processes that belong to a data directory, however they lost their parents. Only Linux tells. */
export const processesOf = (dataDir: string): number[] => {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const ours = pids.map(Number).filter((pid) => readEnvironment(pid).includes(`DATA_DIR=${dataDir}`));
  const cluster = join(dataDir, 'postgres');
  return [...ours, ...(existsSync(cluster) ? processesIn(realpathSync(cluster)) : [])];
};

/** Kills what the tests have left, and waits until it is gone. */
export const killAll = async (dataDir: string): Promise<void> => {
  for (const pid of processesOf(dataDir)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (errorCode(error) !== 'ESRCH') throw error;
    }
  }
  await waitFor('every process is gone', () => processesOf(dataDir).length === 0);
};
