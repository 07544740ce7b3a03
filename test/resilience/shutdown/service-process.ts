import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { respondsOk } from '@platform/dev/ports';
import { waitFor } from '@platform/shared/testing/poll';
import type { Scraping } from '@platform/shared/testing/scrape-metrics';

export type ServiceName = 'gateway' | 'auth-service' | 'admin-service' | 'mailer-worker';
/** How it ended: with an exit code, or by a signal that it did not survive. */
export type Ending = { code: number | null; signal: NodeJS.Signals | null; seconds: number };

export type ServiceProcess = {
  name: ServiceName;
  url: string;
  /** Starts it, again after an end; resolves when it is ready. */
  start: () => Promise<void>;
  signal: (name: NodeJS.Signals) => void;
  /** Resolves when it has ended; `seconds` count from now. One that does not end is killed. */
  awaitEnd: () => Promise<Ending>;
  /** SIGTERM, and its end. */
  stop: () => Promise<Ending>;
  kill: () => void;
  output: () => string;
};

type Options = {
  name: ServiceName;
  ports: { api: number; ops: number };
  environment: Record<string, string>;
  scraping: Scraping;
};

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Should this process be killed, the service goes, too. */
const TETHER = fileURLToPath(new URL('../../../dev/exit-with-parent.ts', import.meta.url));
const END_SECONDS = 30;

/** One process of the platform, on its own entry point and told nothing but `environment`. */
export const createServiceProcess = ({ name, ports, environment, scraping }: Options): ServiceProcess => {
  let child: ChildProcess | undefined;
  let output = '';
  const opsUrl = `http://127.0.0.1:${ports.ops}`;
  const send = (signal: NodeJS.Signals): void => {
    scraping.unwatch(opsUrl);
    child?.kill(signal);
  };

  const isReady = async (): Promise<boolean> => {
    if (child?.exitCode !== null) throw new Error(`${name} did not start:\n${output}`);
    return await respondsOk(`${opsUrl}/readyz`);
  };
  const start = async (): Promise<void> => {
    child = spawn(process.execPath, ['--import', TETHER, `${name}/src/main.ts`], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    await waitFor(`${name} is ready`, isReady, 30);
    scraping.watch(name, opsUrl);
  };

  const awaitEnd = async (): Promise<Ending> => {
    const current = child;
    if (!current) throw new Error(`${name} was not started`);
    const began = performance.now();
    const patience = setTimeout(() => current.kill('SIGKILL'), END_SECONDS * 1_000);
    if (current.exitCode === null && current.signalCode === null) await once(current, 'exit');
    clearTimeout(patience);
    const { exitCode: code, signalCode: signal } = current;
    return { code, signal, seconds: (performance.now() - began) / 1_000 };
  };

  return {
    name,
    url: `http://127.0.0.1:${ports.api}`,
    start,
    signal: send,
    awaitEnd,
    stop: () => {
      send('SIGTERM');
      return awaitEnd();
    },
    kill: () => send('SIGKILL'),
    output: () => output,
  };
};
