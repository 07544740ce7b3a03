import { hash, randomUUID, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AppError, tooManyRequests } from '../../errors/app-error.ts';
import { getClientAddress, toClientSubnet } from '../../http/client-address.ts';
import type { SecurityHandler } from '../../http/operation-router.ts';
import type { ServiceSecrets } from './service-secrets.ts';

/** Another service of the marketplace, identified by its name in SERVICES. */
export type ServiceCaller = { service: string };

const MAX_FAILURES = 10;
const WINDOW_MILLISECONDS = 60_000;
/** These take about 2 MB. */
const MAX_NETWORKS = 10_000;

const serviceUnknown = () =>
  new AppError('SERVICE_UNKNOWN', 401, 'The name or the secret of the service is missing or wrong', {
    headers: { 'WWW-Authenticate': 'Basic' },
  });

const tooManyWrongSecrets = (milliseconds: number) =>
  tooManyRequests('RATE_LIMITED', 'Too many wrong secrets; retry later.', Math.ceil(milliseconds / 1_000));

/** The name ends at the first colon (RFC 7617). */
const parseCredentials = (authorization = ''): { name: string; secret: string } | undefined => {
  const [, encoded = ''] = /^Basic +([\w+/]+=*)$/i.exec(authorization) ?? [];
  const text = Buffer.from(encoded, 'base64').toString();
  const end = text.indexOf(':');
  return end === -1 ? undefined : { name: text.slice(0, end), secret: text.slice(end + 1) };
};

/**
 * Authenticates other services by HTTP Basic. Compares keyed hashes, so that the time does not depend on the
 * secret. Wrong secrets are counted by service and client network in this process. Nobody can guess 32 random
 * characters, so the limit only bounds work and noise. A count in the database would add a query to each
 * request, and need another right for admin-service.
 */
export const createServiceAuthentication = (secrets: ServiceSecrets): SecurityHandler<ServiceCaller> => {
  const key = randomUUID();
  // An HMAC would take three times as long, and is not needed, because the hashes never leave the process.
  const hashSecret = (secret: string): Buffer => hash('sha256', key + secret, 'buffer');
  const accepted = new Map([...secrets].map(([name, values]) => [name, values.map(hashSecret)]));
  const failures = new LRUCache<string, number>({
    max: MAX_NETWORKS,
    ttl: WINDOW_MILLISECONDS,
    noUpdateTTL: true,
  });

  return async (req) => {
    const given = parseCredentials(req.headers.authorization);
    if (!given) throw serviceUnknown();
    const known = accepted.get(given.name);
    // Unknown names share one counter, so that invented names do not bypass the limit.
    const counter = `${known ? given.name : ''} ${toClientSubnet(getClientAddress(req))}`;
    const count = failures.get(counter) ?? 0;
    // The correct secret is rejected too. Otherwise guesses would continue.
    if (count >= MAX_FAILURES) throw tooManyWrongSecrets(failures.getRemainingTTL(counter));
    const hashed = hashSecret(given.secret);
    if (!known?.some((each) => timingSafeEqual(each, hashed))) {
      failures.set(counter, count + 1);
      throw serviceUnknown();
    }
    req.state.callingService = given.name;
    return { service: given.name };
  };
};
