import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

type Request = { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; body?: string };

/** `connections` clients, each of which sends its next request when the last is answered; `overallRate` holds them back. */
export type Load = {
  url: string;
  connections: number;
  /** In seconds. */
  duration: number;
  /** Requests per second of all connections together; as fast as they go without it. */
  overallRate?: number;
  requests: Request[];
};

/** Times in milliseconds. */
export type LoadResult = {
  requests: number;
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
  max: number;
  statuses: Record<number, number>;
  unanswered: number;
};

const GRACE_SECONDS = 30;

/** Runs the load in a process of its own. @throws Error when it does not end in time */
export const applyLoad = async (load: Load): Promise<LoadResult> => {
  const child = fork(fileURLToPath(new URL('./run-load.ts', import.meta.url)));
  const deadline = setTimeout(() => child.kill('SIGKILL'), (load.duration + GRACE_SECONDS) * 1_000);
  try {
    child.send(load);
    const outcome = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => undefined)]);
    if (!outcome) throw new Error('The load ended without a result');
    return outcome[0] as LoadResult;
  } finally {
    clearTimeout(deadline);
  }
};
