import { setTimeout as delay } from 'node:timers/promises';
import type { HttpClient } from '../resilience/load/http-client.ts';
import { meCall } from '../resilience/load/user-actions.ts';
import type { Identity } from './identity.ts';

const EVERY_MILLISECONDS = 50;

/** Asks who is signed in, again and again, and measures how long the answer takes: a blocked event loop shows here. */
export type ProbeFigures = Awaited<ReturnType<ReturnType<typeof startProbe>['stop']>>;

export const startProbe = (client: HttpClient, { account, device }: Identity) => {
  const milliseconds: number[] = [];
  let failures = 0;
  let isStopped = false;
  const run = async (): Promise<void> => {
    while (!isStopped) {
      const began = performance.now();
      const outcome = await client.send(meCall(account.kind, device));
      milliseconds.push(performance.now() - began);
      if (outcome.kind === 'failure' || outcome.status !== 200) failures += 1;
      await delay(EVERY_MILLISECONDS);
    }
  };
  const running = run();
  return {
    stop: async () => {
      isStopped = true;
      await running;
      const sorted = milliseconds.sort((one, other) => one - other);
      const at = (share: number) =>
        sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
      return { count: sorted.length, failures, p50: at(0.5), p99: at(0.99), slowest: sorted.at(-1) ?? 0 };
    },
  };
};
