import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@platform/shared/testing/poll';

const ENTRY = fileURLToPath(new URL('../src/main.ts', import.meta.url));

type LogLine = { level: string; msg: string; port?: number; opsPort?: number };

export type ServiceProcess = {
  child: ChildProcess;
  /** The whole of its standard output. */
  output: () => string;
  /** Its log so far; fails when a line is not JSON. */
  lines: () => LogLine[];
  /** Resolves when it listens. */
  listening: () => Promise<{ url: string; opsUrl: string }>;
  /** Resolves with its exit code; it is killed after `seconds`. */
  ended: (seconds?: number) => Promise<number | null>;
};

/** auth-service as a process of its own, told nothing but `environment`. */
export const spawnAuthService = (environment: Record<string, string>): ServiceProcess => {
  const child = spawn(process.execPath, [ENTRY], {
    env: { PATH: process.env['PATH'], ...environment },
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
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as LogLine);
  const closed = once(child, 'close');
  return {
    child,
    output: () => output,
    lines,
    listening: async () => {
      const { port, opsPort } = await waitFor('auth-service listens', () => {
        if (child.exitCode !== null) throw new Error(`auth-service did not start:\n${output}`);
        return lines().find(({ msg }) => msg === 'listening');
      });
      return { url: `http://127.0.0.1:${port}`, opsUrl: `http://127.0.0.1:${opsPort}` };
    },
    ended: async (seconds = 10) => {
      const deadline = setTimeout(() => child.kill('SIGKILL'), seconds * 1_000);
      await closed;
      clearTimeout(deadline);
      return child.exitCode;
    },
  };
};
