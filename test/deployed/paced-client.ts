import { setTimeout as delay } from 'node:timers/promises';
import { createHttpClient, type HttpRequest, type HttpResponse } from '@platform/shared/testing/http-client';

/** The address limits of the platform, per minute. A deployment reports its own with RateLimit-Policy. */
const DEFAULT_QUOTAS = { all: 600, 'sign-in': 60, codes: 30, contact: 20 };
type LimitName = keyof typeof DEFAULT_QUOTAS;
const WINDOW_MILLISECONDS = 60_000;
const TIMEOUT_SECONDS = 30;
const MAX_WAIT_SECONDS = 120;
const MAX_ATTEMPTS = 3;

type Limit = { quota: number; remaining: number; resetsAt: number };

const SIGN_IN = /\/(?:sign-in|sign-up|register|refresh\/token)$/;
const CODES = /\/(?:verification|reset-password)\/email\/code(?:\/|$)/;

const findLimit = (path: string): LimitName => {
  if (SIGN_IN.test(path)) return 'sign-in';
  if (CODES.test(path)) return 'codes';
  return path.startsWith('/api/v1/contact/') ? 'contact' : 'all';
};

const isLimitName = (name: string): name is LimitName => Object.hasOwn(DEFAULT_QUOTAS, name);

/** The limit that the headers describe; undefined without them. */
const readLimit = ({ headers }: HttpResponse): (Limit & { name: LimitName }) | undefined => {
  const [, name = '', remaining, seconds] =
    /^"([^"]*)";r=(\d+);t=(\d+)$/.exec(String(headers['ratelimit'])) ?? [];
  const [, quota] = /;q=(\d+);w=\d+$/.exec(String(headers['ratelimit-policy'])) ?? [];
  if (!isLimitName(name) || quota === undefined) return undefined;
  const resetsAt = Date.now() + Number(seconds) * 1_000;
  return { name, quota: Number(quota), remaining: Number(remaining), resetsAt };
};

/** Counts the requests of each limit itself, and trusts the headers where they come. */
const createLimits = () => {
  const limits = new Map<LimitName, Limit>();
  const get = (name: LimitName): Limit => {
    const known = limits.get(name);
    if (known && known.resetsAt > Date.now()) return known;
    const quota = known?.quota ?? DEFAULT_QUOTAS[name];
    const fresh = { quota, remaining: quota, resetsAt: Date.now() + WINDOW_MILLISECONDS };
    limits.set(name, fresh);
    return fresh;
  };
  /** Half of each quota is left to others; in the second half, the requests are spread over the rest of the window. */
  const getDelay = (name: LimitName): number => {
    const { quota, remaining, resetsAt } = get(name);
    if (remaining * 2 > quota) return 0;
    return Math.max(0, (resetsAt - Date.now()) / (remaining + 1));
  };
  return {
    getDelay: (name: LimitName): number => Math.max(getDelay(name), getDelay('all')),
    count: (name: LimitName, response: HttpResponse): void => {
      for (const counted of new Set([name, 'all'] as const)) get(counted).remaining -= 1;
      const reported = readLimit(response);
      if (reported) limits.set(reported.name, reported);
    },
  };
};

const isRateLimited = ({ status, code }: HttpResponse): boolean =>
  (status === 429 && code === 'RATE_LIMITED') || status === 503;

type PacedClientOptions = { url: string; requestsPerSecond: number; log: (line: string) => void };

type SendOptions = {
  /** Ends the waiting. */
  signal?: AbortSignal | undefined;
  /** Called with every response, also with those that are followed by another attempt. */
  onResponse: (response: HttpResponse) => void;
};

/**
 * A client that stays below the rate and below the limits of the deployment, and sends a request again after 429
 * RATE_LIMITED and 503, when Retry-After says so.
 */
export const createPacedClient = ({ url, requestsPerSecond, log }: PacedClientOptions) => {
  const client = createHttpClient(url, { timeoutSeconds: TIMEOUT_SECONDS });
  const limits = createLimits();
  let nextAt = 0;

  const waitForTurn = async (limit: LimitName, signal: AbortSignal | undefined): Promise<void> => {
    signal?.throwIfAborted();
    const milliseconds = Math.max(nextAt - Date.now(), limits.getDelay(limit));
    if (milliseconds > 0) await delay(milliseconds, undefined, { signal });
    nextAt = Date.now() + 1_000 / requestsPerSecond;
  };

  const send = async (request: HttpRequest, options: SendOptions, attempt = 1): Promise<HttpResponse> => {
    const { signal, onResponse } = options;
    const limit = findLimit(request.path.split('?', 1)[0] ?? '');
    await waitForTurn(limit, signal);
    const response = await client.send(request);
    limits.count(limit, response);
    onResponse(response);
    const seconds = Number(response.headers['retry-after']);
    const isFinal = !isRateLimited(response) || attempt === MAX_ATTEMPTS;
    if (isFinal || !(seconds >= 0 && seconds <= MAX_WAIT_SECONDS)) return response;
    log(`  ${response.status} ${response.code}: waits ${seconds} s, as Retry-After says`);
    await delay(seconds * 1_000, undefined, { signal });
    return send(request, options, attempt + 1);
  };
  return { send };
};

export type PacedClient = ReturnType<typeof createPacedClient>;
