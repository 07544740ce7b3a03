import type { BotChallenge, WorkerResponse } from './bot-check.ts';
import { solve } from './bot-check-solver.ts';

/** The part of the global object of a worker that is needed. */
type WorkerScope = {
  addEventListener: (type: 'message', listener: (event: { data: BotChallenge }) => void) => void;
  postMessage: (response: WorkerResponse) => void;
};
const scope = globalThis as unknown as WorkerScope;

scope.addEventListener('message', ({ data }) => {
  solve(data).then(
    (solution) => scope.postMessage({ solution }),
    (error: unknown) => scope.postMessage({ error: String(error) }),
  );
});
