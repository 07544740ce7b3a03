import type { components } from '../../types/auth.ts';
import type { CallSignal } from './operation-types.ts';

export type BotChallenge = components['schemas']['BotChallenge'];

/** The response of the worker. */
export type WorkerResponse = { solution: object } | { error: string };

/** The part of a `Worker` of browsers that is needed. */
export type SolvingWorker = {
  addEventListener: (type: string, listener: (event: object) => void) => void;
  postMessage: (challenge: BotChallenge) => void;
  terminate: () => void;
};

/**
 * Creates the worker of `@platform/client/bot-check-worker`. Pass one where the address must be trusted first
 * (Trusted Types), or where the bundler does not find the default.
 */
export type CreateWorker = () => SolvingWorker;
type SolveOptions = CallSignal & { createWorker?: CreateWorker | undefined };

type WorkerConstructor = new (url: URL, options: { type: 'module' }) => SolvingWorker;
declare const Worker: WorkerConstructor;

// Bundlers find the file of the worker by this expression.
const createDefaultWorker: CreateWorker = () =>
  new Worker(new URL('./bot-check-worker.ts', import.meta.url), { type: 'module' });

const solveInWorker = (
  worker: SolvingWorker,
  challenge: BotChallenge,
  signal?: AbortSignal,
): Promise<object> =>
  new Promise<object>((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
    worker.addEventListener('message', (event) => {
      const { data } = event as { data: WorkerResponse };
      if ('solution' in data) resolve(data.solution);
      else reject(new Error(data.error));
    });
    worker.addEventListener('error', (event) => {
      reject(new Error('message' in event ? String(event.message) : 'The worker failed'));
    });
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());

/**
 * Solves a challenge of the platform, which takes a second on a phone, and returns the value of the header
 * X-Bot-Check. It runs in a worker; without workers, as in Node, in this thread.
 */
export const solveChallenge = async (
  challenge: BotChallenge,
  { signal, createWorker }: SolveOptions = {},
): Promise<string> => {
  if (signal?.aborted) throw signal.reason;
  const hasWorkers = createWorker !== undefined || 'Worker' in globalThis;
  const solution = hasWorkers
    ? await solveInWorker((createWorker ?? createDefaultWorker)(), challenge, signal)
    : await (await import('./bot-check-solver.ts')).solve(challenge);
  return btoa(JSON.stringify({ challenge, solution }));
};
