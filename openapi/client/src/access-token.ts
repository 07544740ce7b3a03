/** What the tabs share, and only in memory. */
export type AccessToken = { token: string; sessionId: string; generation: number; renewAt: number };

const LONGEST_MARGIN_SECONDS = 30;
/** Its times are whole seconds. */
const SHORTEST_MARGIN_SECONDS = 1;

/** Of the payload of a JWT; undefined for what is none. */
const lifetimeSeconds = (token: string): number | undefined => {
  try {
    const payload = token.split('.')[1] ?? '';
    const { iat, exp } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return Number.isFinite(exp - iat) ? exp - iat : undefined;
  } catch {
    return undefined;
  }
};

/**
 * When to renew a token that came just now, by this machine's clock, which may differ from the platform's: shortly
 * before it expires. Never, if it does not tell: the platform's refusal will.
 */
export const renewalTime = (token: string): number => {
  const seconds = lifetimeSeconds(token) ?? Number.POSITIVE_INFINITY;
  const margin = Math.min(LONGEST_MARGIN_SECONDS, Math.max(SHORTEST_MARGIN_SECONDS, seconds / 10));
  return Date.now() + (seconds - margin) * 1_000;
};
