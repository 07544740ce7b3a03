import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Log } from '@platform/shared/log/log';
import type { Instances } from './upstream-pool.ts';

/** Addresses of one family, never both: an instance that listens on two would get two turns. */
export type LookUp = (hostname: string) => Promise<{ address: string; family: number }[]>;

type Options = {
  instances: Instances;
  log: Log;
  lookUp?: LookUp;
  everyMilliseconds?: number;
};

const EVERY_MILLISECONDS = 5_000;

const lookUpAll: LookUp = (hostname) => lookup(hostname, { all: true });

const isName = (url: string): boolean => isIP(new URL(url).hostname.replace(/^\[|\]$/g, '')) === 0;

const withAddress = (url: string, address: string): string => {
  const { port } = new URL(url);
  const host = isIP(address) === 6 ? `[${address}]` : address;
  return `http://${host}${port === '' ? '' : `:${port}`}`;
};

/** An instance for each address of the name. One that has a single address stays a name, which each connection looks up. */
const expand = async (url: string, lookUp: LookUp): Promise<string[]> => {
  const found = await lookUp(new URL(url).hostname);
  const ofFamily = (family: number) =>
    found.filter((each) => each.family === family).map(({ address }) => address);
  const several = [4, 6].map(ofFamily).find((addresses) => addresses.length > 1);
  return several ? [...new Set(several)].sort().map((address) => withAddress(url, address)) : [url];
};

/**
 * A name may stand for many processes (`docker compose up --scale`, a headless Service), and for others a minute later.
 * Left to the connections, those that are kept would go on with the first ones, and one failure would count for all. So
 * the names are looked up again and again. One that cannot be looked up now keeps the addresses that it had.
 */
export const followAddresses = ({
  instances,
  log,
  lookUp = lookUpAll,
  everyMilliseconds = EVERY_MILLISECONDS,
}: Options) => {
  const known = new Map(instances.urls.map((url) => [url, [url]]));
  const names = instances.urls.filter(isName);
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const refreshName = async (url: string): Promise<void> => {
    try {
      known.set(url, await expand(url, lookUp));
    } catch (error) {
      log.debug({ err: error, url }, 'name not found, its last addresses stay');
    }
  };
  const refresh = async (): Promise<void> => {
    await Promise.all(names.map(refreshName));
    const urls = [...known.values()].flat();
    if (urls.join() !== instances.urls.join()) {
      log.info({ upstream: instances.name, urls }, 'instances changed');
      instances.replace(urls);
    }
  };
  const keepRefreshing = async (): Promise<void> => {
    await refresh();
    if (!isStopped) timer = setTimeout(keepRefreshing, everyMilliseconds).unref();
  };
  if (names.length > 0) void keepRefreshing();

  return {
    /** Looks every name up now. */
    refresh,
    stop: (): void => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
};
