import { hash, randomUUID, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AppError, tooManyRequests } from '../../errors/app-error.ts';
import type { Log } from '../../log/log.ts';
import {
  type ClientNetworks,
  getClientNetworks,
  WIDER_NETWORK_FACTOR,
} from '../../network/client-address.ts';
import type { SecurityHandler } from '../../openapi/operation-router.ts';
import type { ServiceSecrets } from './service-secrets.ts';

/** Another service of the marketplace, identified by its name in SERVICES. */
export type AuthenticatedService = { service: string };

const MAX_FAILURES = 60;
const WINDOW_MILLISECONDS = 60_000;
/** These take about 2 MB. */
const MAX_NETWORKS = 10_000;

const serviceUnknown = () =>
  new AppError('SERVICE_UNKNOWN', 401, 'The name or the secret of the service is missing or wrong', {
    headers: { 'WWW-Authenticate': 'Basic' },
  });

const tooManyWrongSecrets = (milliseconds: number) =>
  tooManyRequests('RATE_LIMITED', 'Too many wrong secrets; retry later.', Math.ceil(milliseconds / 1_000));

type Credentials = { name: string; secret: string };

/** The name ends at the first colon (RFC 7617). */
const parseCredentials = (authorization = ''): Credentials | undefined => {
  const [, encoded = ''] = /^Basic +([\w+/]+=*)$/i.exec(authorization) ?? [];
  const text = Buffer.from(encoded, 'base64').toString();
  const end = text.indexOf(':');
  return end === -1 ? undefined : { name: text.slice(0, end), secret: text.slice(end + 1) };
};

const decodeForm = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

/** Clients of OAuth form-encode name and secret first (RFC 6749, section 2.3.1). */
const decodeCredentials = ({ name, secret }: Credentials): Credentials | undefined => {
  try {
    return { name: decodeForm(name), secret: decodeForm(secret) };
  } catch {
    return undefined;
  }
};

/**
 * Authenticates other services by HTTP Basic. Compares keyed hashes, so that the time does not depend on the
 * secret. Wrong secrets are counted by service and client network in this process. Nobody can guess 32 random
 * characters, so the limit only bounds noise, and never applies to the correct secret: one instance with an
 * outdated secret must not stop the others. A count in the database would add a query to each request, and
 * need another right for admin-service.
 */
export const createServiceAuthentication = (
  secrets: ServiceSecrets,
  log: Pick<Log, 'warn'>,
): SecurityHandler<AuthenticatedService> => {
  const hashKey = randomUUID();
  // An HMAC would take three times as long, and is not needed, because the hashes never leave the process.
  const hashSecret = (secret: string): Buffer => hash('sha256', hashKey + secret, 'buffer');
  const accepted = new Map([...secrets].map(([name, values]) => [name, values.map(hashSecret)]));
  const failures = new LRUCache<string, number>({
    max: MAX_NETWORKS,
    ttl: WINDOW_MILLISECONDS,
    noUpdateTTL: true,
  });

  /** @param name undefined for all unknown names, so that invented names do not bypass the limit */
  const reject = (name: string | undefined, networks: ClientNetworks): AppError => {
    const counters = networks.map((network, index) => {
      const key = `${name ?? ''} ${network}`;
      const limit = index === 0 ? MAX_FAILURES : MAX_FAILURES * WIDER_NETWORK_FACTOR;
      return { key, limit, count: failures.get(key) ?? 0 };
    });
    const exceeded = counters.find(({ limit, count }) => count >= limit);
    if (exceeded) return tooManyWrongSecrets(failures.getRemainingTTL(exceeded.key));
    for (const { key, count } of counters) failures.set(key, count + 1);
    // An unknown name is not logged, because it may be a secret in the wrong place.
    log.warn({ service: name ?? 'unknown', network: networks[0] }, 'wrong secret of a service');
    return serviceUnknown();
  };

  const isAccepted = ({ name, secret }: Credentials): boolean => {
    const hashed = hashSecret(secret);
    return accepted.get(name)?.some((each) => timingSafeEqual(each, hashed)) === true;
  };

  return async (req) => {
    const given = parseCredentials(req.headers.authorization);
    if (!given) throw serviceUnknown();
    const decoded = decodeCredentials(given);
    const { name } = decoded ?? given;
    if (!isAccepted(given) && !(decoded && isAccepted(decoded)))
      throw reject(accepted.has(name) ? name : undefined, getClientNetworks(req));
    req.state.callingService = name;
    return { service: name };
  };
};
