import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@platform/shared/testing/poll';

const ENTRY = fileURLToPath(new URL('../src/main.ts', import.meta.url));

export type LogLine = { time: string; level: string; msg: string; opsPort?: number; removed?: number };

export type WorkerProcess = {
  child: ChildProcess;
  /** The whole of its output. */
  output: () => string;
  /** Its log so far; fails when a line is not JSON. */
  lines: () => LogLine[];
  /** Resolves with the address of its operations listener. */
  listening: () => Promise<string>;
  /** Asks it to stop; resolves with its exit code. It is killed after `seconds`. */
  stop: (seconds?: number) => Promise<number | null>;
  /** Resolves with its exit code when it ends by itself. */
  ended: () => Promise<number | null>;
};

/** The worker as a process of its own, told nothing but `environment`. */
export const spawnWorker = (
  environment: Record<string, string>,
  nodeArguments: string[] = [],
): WorkerProcess => {
  const child = spawn(process.execPath, [...nodeArguments, ENTRY], {
    env: { PATH: process.env['PATH'], WORKER_OPS_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const lines = () =>
    output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as LogLine);
  const closed = once(child, 'close');
  const ended = async (): Promise<number | null> => {
    await closed;
    return child.exitCode;
  };
  return {
    child,
    output: () => output,
    lines,
    listening: async () => {
      const line = await waitFor('the worker listens', () => {
        if (child.exitCode !== null) throw new Error(`The worker did not start:\n${output}`);
        return lines().find(({ msg }) => msg === 'listening');
      });
      return `http://127.0.0.1:${line.opsPort}`;
    },
    stop: async (seconds = 10) => {
      const deadline = setTimeout(() => child.kill('SIGKILL'), seconds * 1_000);
      child.kill('SIGTERM');
      const code = await ended();
      clearTimeout(deadline);
      return code;
    },
    ended,
  };
};
