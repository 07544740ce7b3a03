import type { components } from '../../types/internal.ts';
import { abortable, TIMEOUT_SECONDS } from './abortable.ts';
import type { CallSignal } from './operation-types.ts';
import { isPlatformError, PlatformError, requireSuccess, type ServiceErrorCode } from './platform-error.ts';
import { toRetryMilliseconds, wait } from './retry.ts';

// biome-ignore lint/performance/noBarrelFile: an entry of the published package.
export { isPlatformError, PlatformError, type ServiceErrorCode } from './platform-error.ts';

type Schemas = components['schemas'];
export type Introspection = Schemas['IntrospectionResult'];
export type ActiveToken = Schemas['ActiveToken'];
export type UserById = Schemas['UserById'];
type ServiceError = PlatformError<ServiceErrorCode>;
/** A CloudEvent. */
export type PlatformEvent = Schemas['Event'];
/**
 * Store `next` in the same transaction as the work that `data` causes. Then each event is handled exactly
 * once.
 */
export type EventPage = Schemas['EventPage'];

export type ServiceClientOptions = {
  /** The origins of the platform's services, as this service reaches them. Do not use the gateway's. */
  authUrl: string;
  adminUrl: string;
  /** The service's name in SERVICES. */
  name: string;
  /** The value of SERVICE_<NAME>_SECRET. A single one, even while the platform accepts two. */
  secret: string;
  /**
   * The timeout of an `introspect` call, or of a `findUsers` call for 100 ids, including its retries.
   * Default: 10.
   */
  timeoutSeconds?: number | undefined;
  /** Called before each retry, to log or count it. `events` never stops retrying. */
  onRetry?: ((error: ServiceError, delayMilliseconds: number) => void) | undefined;
};

export type EventsOptions = CallSignal & {
  /**
   * The maximum number of events per page, 1 to 1000. With 1, a reader can store its position after each
   * event. Default: 100.
   */
  limit?: number | undefined;
};

const MAX_IDS = 100;
/** The maximum that the platform allows. */
const WAIT_SECONDS = 25;

type Timeouts = { attemptSeconds: number; totalSeconds: number };
type Target = { origin: string; path: string; body?: URLSearchParams };

const isTemporary = (error: unknown): error is ServiceError =>
  isPlatformError<ServiceErrorCode>(error) && [0, 429, 502, 503, 504].includes(error.status);

/** Encodes the credentials as in RFC 7617, with UTF-8. */
const toBasic = (name: string, secret: string): string =>
  `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${name}:${secret}`)))}`;

const createCall = (
  { name, secret, onRetry }: ServiceClientOptions,
  authorization = toBasic(name, secret),
) => {
  const send = async (
    { origin, path, body }: Target,
    signal: AbortSignal | undefined,
    milliseconds: number,
  ) => {
    const url = `${origin.replace(/\/$/, '')}/internal/v1${path}`;
    const request = async (limited: AbortSignal) => {
      const response = await fetch(url, {
        ...(body && { method: 'POST', body }),
        headers: { Authorization: authorization },
        redirect: 'error',
        cache: 'no-store',
        signal: limited,
      });
      return requireSuccess(response, await response.text());
    };
    return await abortable({ signal, milliseconds }, request).catch((error: unknown): never => {
      if (signal?.aborted) throw signal.reason;
      if (isPlatformError(error) && error.status > 0) throw error;
      throw new PlatformError('SERVICE_UNREACHABLE', `No response from ${origin}`, {}, error);
    });
  };

  return async (
    target: Target,
    { attemptSeconds, totalSeconds }: Timeouts,
    signal: AbortSignal | undefined,
  ): Promise<unknown> => {
    const end = Date.now() + totalSeconds * 1_000;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send(target, signal, Math.min(attemptSeconds * 1_000, end - Date.now()));
      } catch (error) {
        if (!isTemporary(error)) throw error;
        const delay = toRetryMilliseconds(attempt, error.retryAfterSeconds);
        if (Date.now() + delay >= end) throw error;
        onRetry?.(error, delay);
        await wait(delay, signal);
      }
    }
  };
};

/**
 * The platform's operations for another service of the marketplace. Calls are repeated, with backoff and
 * jitter, after a lost connection, 429, 502, 503 and 504. Every other failure rejects with a PlatformError,
 * such as 401 SERVICE_UNKNOWN for a wrong secret.
 */
export const createServiceClient = (options: ServiceClientOptions) => {
  const { authUrl, adminUrl, timeoutSeconds = TIMEOUT_SECONDS } = options;
  const call = createCall(options);
  // An instance that hangs must leave time for an attempt on another one.
  const timeouts = { attemptSeconds: timeoutSeconds / 2, totalSeconds: timeoutSeconds };

  /**
   * Returns whose access token it is at this moment, so call it for every request. With the request's
   * X-Fingerprint, a stolen token is not active on another device.
   */
  const introspect = async (
    token: string,
    fingerprint?: string,
    { signal }: CallSignal = {},
  ): Promise<Introspection> => {
    const body = new URLSearchParams({ token, ...(fingerprint && { fingerprint }) });
    const target = { origin: authUrl, path: '/introspect', body };
    return (await call(target, timeouts, signal)) as Introspection;
  };

  /**
   * Returns the users in the order of the ids, without unknown ones. Any number of ids; each request has at
   * most 100.
   */
  const findUsers = async (ids: readonly string[], { signal }: CallSignal = {}): Promise<UserById[]> => {
    const users: UserById[] = [];
    for (let from = 0; from < ids.length; from += MAX_IDS) {
      const query = new URLSearchParams(
        ids.slice(from, from + MAX_IDS).map((id): [string, string] => ['id', id]),
      );
      const page = await call({ origin: adminUrl, path: `/users?${query}` }, timeouts, signal);
      users.push(...(page as Schemas['UsersById']).data);
    }
    return users;
  };

  /**
   * Yields the pages of events after the stored `next`, or from the oldest event that is kept. It never ends
   * and yields a page at least every 25 s, which is empty if nothing has happened. @throws PlatformError 410
   * EVENTS_EXPIRED if `after` is no longer known; then start without it
   */
  const events = async function* (
    after?: string,
    { signal, limit = 100 }: EventsOptions = {},
  ): AsyncGenerator<EventPage, never, undefined> {
    const times = { attemptSeconds: WAIT_SECONDS + TIMEOUT_SECONDS, totalSeconds: Number.POSITIVE_INFINITY };
    for (let next = after; ; ) {
      const query = new URLSearchParams({
        ...(next && { after: next }),
        limit: `${limit}`,
        wait: `${WAIT_SECONDS}`,
      });
      const page = (await call({ origin: adminUrl, path: `/events?${query}` }, times, signal)) as EventPage;
      yield page;
      next = page.next;
    }
  };

  return { introspect, findUsers, events };
};

export type ServiceClient = ReturnType<typeof createServiceClient>;
