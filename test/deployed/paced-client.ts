import { setTimeout as delay } from 'node:timers/promises';
import { withBotCheck } from '@platform/shared/testing/bot-check';
import { createHttpClient, type HttpRequest, type HttpResponse } from '@platform/shared/testing/http-client';

const TIMEOUT_SECONDS = 30;
const MAX_WAIT_SECONDS = 120;
const MAX_ATTEMPTS = 3;

const isRateLimited = ({ status, code }: HttpResponse): boolean =>
  (status === 429 && code === 'RATE_LIMITED') || status === 503;

type PacedClientOptions = { url: string; requestsPerSecond: number; log: (line: string) => void };

type SendOptions = {
  /** Cancels the wait for the next request. */
  signal?: AbortSignal | undefined;
  /** The number of times that a request is sent at most. */
  maxAttempts?: number;
  /** Called with every response, also if another attempt follows. */
  onResponse: (response: HttpResponse) => void;
};

/**
 * A client that stays below the rate. It repeats a request after 429 RATE_LIMITED and 503, at the time that
 * Retry-After names, and with a solved challenge where the platform keeps bots out.
 */
export const createPacedClient = ({ url, requestsPerSecond, log }: PacedClientOptions) => {
  const client = createHttpClient(url, { timeoutSeconds: TIMEOUT_SECONDS });
  let nextAt = 0;

  const send = async (request: HttpRequest, options: SendOptions, attempt = 1): Promise<HttpResponse> => {
    const { signal, onResponse, maxAttempts = MAX_ATTEMPTS } = options;
    signal?.throwIfAborted();
    await delay(Math.max(0, nextAt - Date.now()), undefined, { signal });
    nextAt = Date.now() + 1_000 / requestsPerSecond;
    const sendOnce = async (each: HttpRequest): Promise<HttpResponse> => {
      const response = await client.send(each);
      onResponse(response);
      return response;
    };
    const response = await withBotCheck(sendOnce, client.send)(request);
    const seconds = Number(response.headers['retry-after']);
    const isFinal = !isRateLimited(response) || attempt >= maxAttempts;
    if (isFinal || !(seconds >= 0 && seconds <= MAX_WAIT_SECONDS)) return response;
    log(`  ${response.status} ${response.code}: waits ${seconds} s, as Retry-After says`);
    await delay(seconds * 1_000, undefined, { signal });
    return send(request, options, attempt + 1);
  };
  return { send };
};

export type PacedClient = ReturnType<typeof createPacedClient>;
