const REQUEST_SECONDS = 15;

export const fetchInTime = (url: string, init: RequestInit): Promise<Response> =>
  fetch(url, { ...init, signal: AbortSignal.timeout(REQUEST_SECONDS * 1_000) });

/** @throws Error with the status and the code of an unexpected response */
export const send = async (
  url: string,
  statuses: readonly number[],
  init: RequestInit,
): Promise<Response> => {
  const response = await fetchInTime(url, init);
  if (statuses.includes(response.status)) return response;
  const id = response.headers.get('X-Request-Id') ?? 'unknown';
  const text = (await response.text()).slice(0, 500);
  throw new Error(`${response.status} instead of ${statuses.join(' or ')}, request ${id}: ${text}`);
};

export const post = (
  url: string,
  statuses: readonly number[],
  body: object,
  headers: Record<string, string> = {},
): Promise<Response> =>
  send(url, statuses, {
    method: 'POST',
    headers: { ...DEVICE, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** Constant, so that an account has only one session. */
export const DEVICE = { 'X-Fingerprint': 'probe' };
