import { unavailable } from '@platform/shared/errors/app-error';
import { toClientNetworks } from '@platform/shared/http/client-address';
import type { HashRequester } from '../guess-limits/guess-limits.ts';

type Options = { permits: number; maxWaiting: number; maxWaitMilliseconds: number };

/** A task that waits for a permit. */
type Task = { start: () => void; reject: () => void };

const overloaded = () => unavailable('Too many concurrent sign-ins; retry later.');

/** An attacker with an IPv6 /48 has 65,536 networks of it, so they have one turn together. */
const toNetwork = (address: string): string => {
  const [network, wider] = toClientNetworks(address);
  return wider ?? network;
};

/**
 * Limits the number of concurrent tasks. Of the tasks that wait, those of known devices start first, then one
 * of each client network in turn, so that a few networks cannot take all hashes from the others. A task that
 * waits too long leaves the queue here, because aborting it in the pool would end the thread of a task that
 * has begun.
 */
export const createHashQueue = ({ permits, maxWaiting, maxWaitMilliseconds }: Options) => {
  const knownDevices = new Set<Task>();
  /** The networks, in the order of their turns. */
  const networks = new Map<string, Set<Task>>();
  let free = permits;
  let waiting = 0;

  const takeNext = (): Task | undefined => {
    const [ofKnownDevice] = knownDevices;
    if (ofKnownDevice) return ofKnownDevice;
    const [turn] = networks;
    if (!turn) return undefined;
    const [network, tasks] = turn;
    networks.delete(network);
    networks.set(network, tasks);
    return tasks.values().next().value;
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
    if (!crowded || crowded.size <= own) throw overloaded();
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
          reject(overloaded());
        },
      };
      const timer = setTimeout(task.reject, maxWaitMilliseconds);
      tasks.add(task);
      waiting += 1;
    });

  return {
    /** @throws AppError 503 */
    acquire: async ({ address, isKnownDevice }: HashRequester): Promise<void> => {
      const isKnown = free === 0 && ((await isKnownDevice?.()) ?? false);
      if (free > 0) {
        free -= 1;
        return;
      }
      const network = toNetwork(address);
      if (waiting >= maxWaiting) makeRoom(network, isKnown);
      await wait(network, isKnown);
    },

    release: (): void => {
      const next = takeNext();
      if (next) next.start();
      else free += 1;
    },

    waiting: (): number => waiting,
  };
};
