/** Shared between tabs, in memory only. */
export type AccessToken = { token: string; sessionId: string; generation: number; renewAt: number };

const MAX_MARGIN_SECONDS = 30;
/** JWT timestamps have a resolution of one second. */
const MIN_MARGIN_SECONDS = 1;

/** Returns `exp - iat` of a JWT, or undefined for anything else. */
const readLifetimeSeconds = (token: string): number | undefined => {
  try {
    const payload = token.split('.')[1] ?? '';
    const { iat, exp } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return Number.isFinite(exp - iat) ? exp - iat : undefined;
  } catch {
    return undefined;
  }
};

/**
 * When to renew a token that was just received: shortly before it expires. This uses the token's lifetime and
 * the local clock, because the platform's clock may differ. A token without a lifetime is renewed only after
 * a 401.
 */
export const getRenewalTime = (token: string): number => {
  const seconds = readLifetimeSeconds(token) ?? Number.POSITIVE_INFINITY;
  const margin = Math.min(MAX_MARGIN_SECONDS, Math.max(MIN_MARGIN_SECONDS, seconds / 10));
  return Date.now() + (seconds - margin) * 1_000;
};
