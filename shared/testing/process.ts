import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { PROCESS_SECONDS } from '../src/async/patience.ts';
import { waitFor } from './poll.ts';
import { RECORDER_ENVIRONMENT } from './record-responses.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/**
 * Ends a process when the test run dies without stopping it. It is a URL, because Node misreads a path that
 * contains % or #.
 */
const EXIT_WITH_PARENT = new URL('../../dev/exit-with-parent.ts', import.meta.url).href;

export type ServiceName = 'gateway' | 'auth-service' | 'admin-service' | 'mailer-worker';
type LogLine = {
  time: string;
  level: string;
  msg: string;
  port?: number;
  opsPort?: number;
  removed?: number;
};
/** `signal` is the signal that ended the process. */
export type Exit = { code: number | null; signal: NodeJS.Signals | null; seconds: number };

export type ProcessOptions = {
  /** The environment of the process, except the cache of compiled code. */
  environment: Record<string, string | undefined>;
  /** Whether the process leads a process group, as in a terminal. */
  detached?: boolean;
  /** The root of another checkout. */
  cwd?: string;
  /** A file descriptor that takes the place of the pipe that the functions for logs read. */
  stdout?: number;
};

/** Runs `node …args` in the root of the repository. */
export const startProcess = (
  args: readonly string[],
  { environment, detached = false, cwd = ROOT, stdout }: ProcessOptions,
) => {
  const child = spawn(process.execPath, ['--import', EXIT_WITH_PARENT, ...args], {
    cwd,
    // Shares the compile cache of run.mjs, which halves the start time.
    env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...environment },
    // The channel closes when this process ends, which exit-with-parent.ts detects.
    stdio: ['ignore', stdout ?? 'pipe', 'pipe', 'ipc'],
    detached,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const closed = once(child, 'close');
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  const logLines = (): LogLine[] =>
    output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const waitForLog = (message: string): Promise<LogLine> =>
    waitFor(`log line "${message}"`, () => {
      const line = logLines().find(({ msg }) => msg === message);
      if (!line && hasExited()) throw new Error(`The process exited without "${message}":\n${output}`);
      return line;
    });
  const waitForExit = async (timeoutSeconds = PROCESS_SECONDS): Promise<Exit> => {
    const started = performance.now();
    const timeout = setTimeout(() => child.kill('SIGKILL'), timeoutSeconds * 1_000);
    await closed;
    clearTimeout(timeout);
    const seconds = (performance.now() - started) / 1_000;
    return { code: child.exitCode, signal: child.signalCode, seconds };
  };
  return {
    pid: child.pid ?? 0,
    hasExited,
    /** Standard output and standard error so far. */
    output: () => output,
    /** The log so far. Fails if a line is not JSON. */
    logLines,
    /** Resolves with the first log line with this message. Fails if the process exits without it. */
    waitForLog,
    /** Resolves with the addresses of a service once it listens. */
    listening: async () => {
      const { port, opsPort } = await waitForLog('listening');
      return { url: `http://127.0.0.1:${port}`, opsUrl: `http://127.0.0.1:${opsPort}` };
    },
    kill: (signal: NodeJS.Signals = 'SIGKILL') => void child.kill(signal),
    /**
     * Resolves when the process has exited. `seconds` counts from this call. The process is killed after the
     * timeout.
     */
    waitForExit,
    /** Sends SIGTERM, and then waits like waitForExit. */
    stop: (timeoutSeconds?: number) => {
      child.kill('SIGTERM');
      return waitForExit(timeoutSeconds);
    },
  };
};

export type NodeProcess = ReturnType<typeof startProcess>;

/**
 * Starts a service as in production, with only these environment variables. Only the services of this
 * checkout record their responses.
 */
export const startService = (
  name: ServiceName,
  environment: Record<string, string>,
  nodeArguments: readonly string[] = [],
  { root, stdout }: { root?: string; stdout?: number } = {},
): NodeProcess =>
  startProcess([...nodeArguments, `${name}/src/main.ts`], {
    environment: {
      PATH: process.env['PATH'],
      ...(root === undefined && RECORDER_ENVIRONMENT),
      ...environment,
    },
    ...(root !== undefined && { cwd: root }),
    ...(stdout !== undefined && { stdout }),
  });

/** Runs a script of package.json to its end, with only these environment variables. */
export const runScript = async (
  script: string,
  args: readonly string[],
  environment: Record<string, string>,
): Promise<{ code: number | null; output: string }> => {
  const env = { PATH: process.env['PATH'], ...environment };
  const running = startProcess(['run.mjs', script, ...args], { environment: env });
  const { code } = await running.waitForExit();
  return { code, output: running.output() };
};

/**
 * Imports modules, named from the root, in a new process. Returns the npm packages that were loaded with
 * them.
 */
export const listLoadedPackages = async (...modules: string[]): Promise<string[]> => {
  const script = `
    import { registerHooks } from 'node:module';
    const packages = new Set();
    registerHooks({ load: (url, context, next) => {
      const name = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1];
      if (name) packages.add(name);
      return next(url, context);
    } });
    for (const module of ${JSON.stringify(modules)}) await import('${ROOT}' + module);
    console.log(JSON.stringify([...packages]));`;
  const running = startProcess(['--input-type=module', '-e', script], { environment: process.env });
  const { code } = await running.waitForExit();
  if (code !== 0) throw new Error(`The modules cannot be imported:\n${running.output()}`);
  return JSON.parse(running.output()) as string[];
};
