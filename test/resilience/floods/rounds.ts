import { setTimeout as delay } from 'node:timers/promises';
import { countStatuses } from './fixture.ts';

/**
 * Repeats rounds of requests. A round begins when the previous one has all responses, and not before this
 * many seconds after its start.
 */
export const startRounds =
  (everySeconds: number, runRound: (gatewayUrl: string, network: string) => Promise<(number | string)[]>) =>
  async (gatewayUrl: string, network: string) => {
    const statuses: (number | string)[] = [];
    const stopping = new AbortController();
    let rounds = 0;
    const keepRunning = async (): Promise<void> => {
      for (; !stopping.signal.aborted; rounds += 1) {
        const pause = delay(everySeconds * 1_000, undefined, { signal: stopping.signal }).catch(
          () => undefined,
        );
        statuses.push(...(await runRound(gatewayUrl, network)));
        await pause;
      }
    };
    const attack = keepRunning();
    return {
      stop: async () => {
        stopping.abort();
        await attack;
        return `${countStatuses(statuses)} in ${rounds} rounds`;
      },
    };
  };
