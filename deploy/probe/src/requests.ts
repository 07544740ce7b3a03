import { type BotChallenge, solveBotChallenge } from '@platform/shared/platform/bot-check/bot-check-solver';

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

/** Solves a challenge, if the platform keeps bots out. `url` is that of the platform. */
export const postAsPerson = async (
  url: string,
  path: string,
  statuses: readonly number[],
  body: object,
): Promise<Response> => {
  const api = `${url}/api/v1`;
  const response = await post(api + path, [...statuses, 403], body);
  if (response.status !== 403) return response;
  const challenge = (await (await send(`${api}/auth/bot-check`, [200], {})).json()) as BotChallenge;
  return await post(api + path, statuses, body, { 'X-Bot-Check': await solveBotChallenge(challenge) });
};

/** Constant, so that an account has only one session. */
export const DEVICE = { 'X-Fingerprint': 'probe' };
/** The codes are entered on another one, so that the two checks do not end each other's session. */
export const CODE_DEVICE = { 'X-Fingerprint': 'probe-code' };

export const readError = async (response: Response): Promise<{ code: string }> =>
  (await response.json()) as { code: string };
