import { AppError } from '@platform/shared/errors/app-error';
import { toClientNetworks } from '@platform/shared/http/client-address';
import type { HashRequester } from '../guess-limits/guess-limits.ts';

type Options = {
  permits: number;
  /** Further permits, for known devices alone. */
  permitsOfKnownDevices: number;
  maxWaiting: number;
  maxWaitMilliseconds: number;
};

/** A task that waits for a permit. */
type Task = { start: () => void; reject: () => void };

/** The networks whose last turn is remembered. */
const MAX_REMEMBERED = 10_000;

/** 503, as its own type, so that a caller can skip a hash that is not urgent. */
export class HashQueueOverload extends AppError {
  constructor() {
    const headers = { 'Retry-After': '1' };
    super('SERVICE_UNAVAILABLE', 503, 'Too many concurrent sign-ins; retry later.', { headers });
  }
}

/** An attacker with an IPv6 /48 has 65,536 networks of it, so they have one turn together. */
const toNetwork = (address: string): string => {
  const [network, wider] = toClientNetworks(address);
  return wider ?? network;
};

/**
 * Limits the number of concurrent tasks. Of the tasks that wait, those of known devices start first, then one
 * of each client network in turn, so that a few networks cannot take all hashes from the others. The turn is
 * of the network that has had none for the longest time: a person whose network has had none yet does not
 * wait for a turn of each attacker. A task that waits too long leaves the queue here, because aborting it in
 * the pool would end the thread of a task that has begun.
 */
export const createHashQueue = ({
  permits,
  permitsOfKnownDevices,
  maxWaiting,
  maxWaitMilliseconds,
}: Options) => {
  const knownDevices = new Set<Task>();
  /** The networks with waiting tasks, in the order of arrival. */
  const networks = new Map<string, Set<Task>>();
  /** The number of each network's last turn, the longest ago first. */
  const lastTurns = new Map<string, number>();
  let turns = 0;
  let running = 0;
  let waiting = 0;

  const hasPermit = (isKnown: boolean): boolean => running < permits + (isKnown ? permitsOfKnownDevices : 0);

  const lastTurnOf = (network: string): number => lastTurns.get(network) ?? 0;

  const countTurn = (network: string): void => {
    turns += 1;
    lastTurns.delete(network);
    lastTurns.set(network, turns);
    const [oldest] = lastTurns.keys();
    if (lastTurns.size > MAX_REMEMBERED && oldest !== undefined) lastTurns.delete(oldest);
  };

  const takeNext = (): Task | undefined => {
    const [ofKnownDevice] = knownDevices;
    if (ofKnownDevice) return ofKnownDevice;
    if (!hasPermit(false)) return undefined;
    const [next] = [...networks.keys()].sort((one, other) => lastTurnOf(one) - lastTurnOf(other));
    if (next === undefined) return undefined;
    countTurn(next);
    return networks.get(next)?.values().next().value;
  };

  const addTo = (network: string): Set<Task> => {
    const tasks = networks.get(network) ?? new Set();
    networks.set(network, tasks);
    return tasks;
  };

  /** Rejects the newest task of the network with the most tasks, unless `network` would then have as many. */
  const makeRoom = (network: string, isKnown: boolean): void => {
    const [crowded] = [...networks.values()].sort((one, other) => other.size - one.size);
    const own = isKnown ? 0 : (networks.get(network)?.size ?? 0) + 1;
    if (!crowded || crowded.size <= own) throw new HashQueueOverload();
    [...crowded].at(-1)?.reject();
  };

  const wait = (network: string, isKnown: boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const tasks = isKnown ? knownDevices : addTo(network);
      const leave = () => {
        clearTimeout(timer);
        tasks.delete(task);
        if (!isKnown && tasks.size === 0) networks.delete(network);
        waiting -= 1;
      };
      const task: Task = {
        start: () => {
          leave();
          resolve();
        },
        reject: () => {
          leave();
          reject(new HashQueueOverload());
        },
      };
      const timer = setTimeout(task.reject, maxWaitMilliseconds);
      tasks.add(task);
      waiting += 1;
    });

  return {
    /** @returns whether the task is that of a known device. @throws HashQueueOverload */
    acquire: async ({ address, isKnownDevice }: HashRequester): Promise<boolean> => {
      const isKnown = (await isKnownDevice?.()) ?? false;
      if (hasPermit(isKnown)) {
        running += 1;
        return isKnown;
      }
      const network = toNetwork(address);
      if (waiting >= maxWaiting) makeRoom(network, isKnown);
      await wait(network, isKnown);
      return isKnown;
    },

    release: (): void => {
      running -= 1;
      const next = takeNext();
      if (!next) return;
      running += 1;
      next.start();
    },

    waiting: (): number => waiting,
  };
};
