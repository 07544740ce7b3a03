import type { Metrics } from '../metrics/metrics.ts';
import { toClientNetworks, WIDER_NETWORK_FACTOR } from '../network/client-address.ts';
import type { Log } from './log.ts';

const PERIOD_MILLISECONDS = 60_000;
const LINES_PER_PERIOD = 100;
/** The networks that the line about dropped lines names. */
const NAMED_NETWORKS = 10;

/** The networks with the most dropped lines. */
const pickLargest = (dropped: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries([...dropped].sort(([, one], [, other]) => other - one).slice(0, NAMED_NETWORKS));

/**
 * Limits the lines about requests that no rate limit bounds, by client network. Otherwise anybody could fill
 * the disk, or flush the older lines out of a log that is rotated by its size. A line each minute contains
 * the number of dropped lines.
 */
export const createLogRateLimit = (log: Pick<Log, 'warn'>, metrics: Pick<Metrics, 'countDroppedLine'>) => {
  const written = new Map<string, number>();
  const dropped = new Map<string, number>();

  const endPeriod = (): void => {
    written.clear();
    if (dropped.size === 0) return;
    const lines = [...dropped.values()].reduce((sum, count) => sum + count, 0);
    log.warn({ lines, networks: pickLargest(dropped) }, 'log lines of requests without a route dropped');
    dropped.clear();
  };

  /** Whether a line about a request of this client may be written. Counts it in either case. */
  return (address: string): boolean => {
    if (written.size === 0) setTimeout(endPeriod, PERIOD_MILLISECONDS).unref();
    const networks = toClientNetworks(address);
    const mayWrite = networks.every(
      (network, index) =>
        (written.get(network) ?? 0) < LINES_PER_PERIOD * (index === 0 ? 1 : WIDER_NETWORK_FACTOR),
    );
    const counts = mayWrite ? written : dropped;
    for (const network of mayWrite ? networks : networks.slice(0, 1))
      counts.set(network, (counts.get(network) ?? 0) + 1);
    if (!mayWrite) metrics.countDroppedLine({ reason: 'network' });
    return mayWrite;
  };
};
