import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { PacedLoad } from './open-loop-load.ts';
import type { Carry, Request } from './requests.ts';

/** `connections` clients, each of which sends its next request when the last is answered: a closed loop. */
export type Load = {
  url: string;
  connections: number;
  /** In seconds. Nobody is cut off then: each client's last request is still answered. */
  duration: number;
  /** Shared out among the connections. */
  requests: readonly Request[];
  /** Then each connection has one request, and each answer brings the token of the next. */
  carry?: Carry;
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
  /** What the next load has to begin with, if the tokens were carried on. */
  followed: Request[];
};

const GRACE_SECONDS = 40;

/** Runs a load in a process of its own. @throws Error when it does not end in time */
const runLoad = async <Result>(script: string, load: { duration: number }): Promise<Result> => {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), { execArgv: [] });
  // One that was killed cannot be told its load: its end says so.
  child.on('error', () => undefined);
  const deadline = setTimeout(() => child.kill('SIGKILL'), (load.duration + GRACE_SECONDS) * 1_000);
  try {
    child.send(load);
    const outcome = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => undefined)]);
    if (!outcome) throw new Error('The load ended without a result');
    return outcome[0] as Result;
  } finally {
    clearTimeout(deadline);
  }
};

/** As fast as it is answered. */
export const applyLoad = (load: Load): Promise<LoadResult> => runLoad('./run-load.ts', load);

/** At its own pace, however slowly it is answered: one result for each stream. */
export const applyPacedLoad = (load: PacedLoad): Promise<Record<string, LoadResult>> =>
  runLoad('./run-open-loop-load.ts', load);

/** What was not answered as it should be; undefined when all was. */
export const faultOf = ({ statuses, unanswered, requests }: LoadResult): string | undefined => {
  const wrong = Object.entries(statuses).filter(([status]) => !status.startsWith('2'));
  const faults = wrong.map(([status, count]) => `${count} × ${status}`);
  if (unanswered > 0) faults.push(`${unanswered} not answered`);
  if (requests === 0) faults.push('no request was answered');
  return faults.length > 0 ? faults.join(', ') : undefined;
};
