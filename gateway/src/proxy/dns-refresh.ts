import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { runPeriodically } from '@platform/shared/async/tasks';
import type { Log } from '@platform/shared/log/log';
import type { UpstreamPool } from './upstream-pool.ts';

type Lookup = (hostname: string) => Promise<{ address: string; family: number }[]>;

type Options = {
  pool: UpstreamPool;
  log: Log;
  lookupAll?: Lookup;
};

/**
 * The interval is as long as an ejection, so that an address that no longer exists is removed before it is
 * tried again.
 */
const INTERVAL_MILLISECONDS = 1_000;

const hasHostname = (url: string): boolean => isIP(new URL(url).hostname.replace(/^\[|\]$/g, '')) === 0;

const withAddress = (url: string, address: string): string => {
  const { port } = new URL(url);
  const host = isIP(address) === 6 ? `[${address}]` : address;
  return `http://${host}${port === '' ? '' : `:${port}`}`;
};

/**
 * Returns a URL for each address of the hostname. All addresses are of one family, because an instance that
 * listens on both would otherwise get twice its share.
 */
const resolveUrl = async (url: string, lookupAll: Lookup): Promise<string[]> => {
  const results = await lookupAll(new URL(url).hostname);
  const getAddresses = (family: number) =>
    results.filter((result) => result.family === family).map(({ address }) => address);
  const addresses = [4, 6].map(getAddresses).find(({ length }) => length > 0);
  if (!addresses) throw new Error('The lookup returned no address');
  return [...new Set(addresses)].sort().map((address) => withAddress(url, address));
};

/**
 * Resolves the hostnames of the pool every second. A hostname can have an address for each process (`docker
 * compose up --scale`, a headless Service), and the addresses change. Otherwise kept connections would stay
 * with the first addresses, and a failure of one process would eject all of them. If a lookup fails, the
 * hostname keeps its last addresses.
 */
export const startDnsRefresh = ({
  pool,
  log,
  lookupAll = (hostname) => lookup(hostname, { all: true }),
}: Options) => {
  const resolvedUrls = new Map(pool.urls.map((url) => [url, [url]]));
  const urlsWithHostname = pool.urls.filter(hasHostname);

  const refreshUrl = async (url: string): Promise<void> => {
    try {
      resolvedUrls.set(url, await resolveUrl(url, lookupAll));
    } catch (error) {
      log.debug({ err: error, url }, 'DNS lookup failed, keeping the last addresses');
    }
  };
  const refresh = async (): Promise<void> => {
    await Promise.all(urlsWithHostname.map(refreshUrl));
    const urls = [...resolvedUrls.values()].flat();
    if (urls.join() !== pool.urls.join()) {
      log.info({ upstream: pool.name, urls }, 'upstream instances changed');
      pool.replaceUrls(urls);
    }
  };
  const refreshing =
    urlsWithHostname.length > 0
      ? runPeriodically(refresh, { intervalMilliseconds: INTERVAL_MILLISECONDS, onError: () => undefined })
      : undefined;

  return { refresh, stop: async () => refreshing?.stop() };
};
