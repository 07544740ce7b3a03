import { hash, randomUUID, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ServiceSecrets } from '../config/service-secrets.ts';
import { AppError, tooManyRequests } from '../errors/app-error.ts';
import { getClientAddress, toClientNetworks, WIDER_NETWORK_FACTOR } from './client-address.ts';
import type { SecurityHandler } from './operation-router.ts';
import { logCallingService } from './request-logging.ts';

/** Another service of the marketplace, by its name in SERVICES. */
export type ServiceCaller = { service: string };

const MAX_FAILURES = 10;
const WINDOW_MILLISECONDS = 60_000;
/** About 2 MB. */
const MAX_REMEMBERED_NETWORKS = 10_000;

const serviceUnknown = () =>
  new AppError('SERVICE_UNKNOWN', 401, 'The name or the secret of the service is missing or wrong', {
    headers: { 'WWW-Authenticate': 'Basic' },
  });

/** RFC 7617: the name ends at the first colon. */
const parseCredentials = (authorization = ''): { name: string; secret: string } | undefined => {
  const [, encoded = ''] = /^Basic +([\w+/]+=*)$/i.exec(authorization) ?? [];
  const text = Buffer.from(encoded, 'base64').toString();
  const end = text.indexOf(':');
  return end === -1 ? undefined : { name: text.slice(0, end), secret: text.slice(end + 1) };
};

/**
 * Counts wrong secrets by service and client network in this process. A secret has at least 32 random characters, so the limit
 * only bounds work and noise: a count in the database would cost each right secret a query, and admin-service a further right.
 */
const createFailureLimit = () => {
  const failures = new LRUCache<string, { count: number }>({
    max: MAX_REMEMBERED_NETWORKS,
    ttl: WINDOW_MILLISECONDS,
  });
  const toLimits = (name: string, address: string) =>
    toClientNetworks(address).map((network, index) => ({
      key: `${name} ${network}`,
      max: MAX_FAILURES * (index === 0 ? 1 : WIDER_NETWORK_FACTOR),
    }));
  return {
    /** The right secret is refused too, or guesses would continue. @throws AppError 429 */
    requireFree: (name: string, address: string): void => {
      if (failures.size === 0) return;
      for (const { key, max } of toLimits(name, address))
        if ((failures.get(key)?.count ?? 0) >= max)
          throw tooManyRequests(
            'RATE_LIMITED',
            'Too many wrong secrets; retry later.',
            Math.max(1, Math.ceil(failures.getRemainingTTL(key) / 1_000)),
          );
    },
    count: (name: string, address: string): void => {
      for (const { key } of toLimits(name, address)) {
        const known = failures.get(key);
        if (known) known.count += 1;
        else failures.set(key, { count: 1 });
      }
    },
  };
};

/** Authentication of other services by HTTP Basic. Compares keyed hashes, so that the time does not depend on the secret. */
export const createServiceAuthentication = (secrets: ServiceSecrets): SecurityHandler<ServiceCaller> => {
  const key = randomUUID();
  // Not an HMAC, which takes three times as long: the hashes never leave the process.
  const hashSecret = (secret: string): Buffer => hash('sha256', key + secret, 'buffer');
  const accepted = new Map([...secrets].map(([name, values]) => [name, values.map(hashSecret)]));
  const limit = createFailureLimit();

  return async (req, res) => {
    const given = parseCredentials(req.headers.authorization);
    if (!given) throw serviceUnknown();
    const known = accepted.get(given.name);
    // Invented names must not fill the memory, nor escape the limit.
    const service = known ? given.name : '';
    const address = getClientAddress(req);
    limit.requireFree(service, address);
    const hashed = hashSecret(given.secret);
    if (!known?.some((each) => timingSafeEqual(each, hashed))) {
      limit.count(service, address);
      throw serviceUnknown();
    }
    logCallingService(res, service);
    return { service };
  };
};
