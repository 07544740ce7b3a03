import { createHash, randomUUID } from 'node:crypto';
import { unauthorized } from '@platform/shared/errors/app-error';
import type { CookieChange } from '@platform/shared/openapi/operations';
import { KIND_CONFIGS, type Kind } from '../kinds.ts';

// The `jti` of a refresh token is a UUID of version 8 (RFC 9562, section 5.8): 90 random bits name its token
// record, and the last 32 bits count the generations. Therefore every token shows which record issued it, and
// how many newer tokens the record has issued since.

/** The length of a UUID as text without its last 32 bits. */
const NAME_LENGTH = 28;
const nameOf = (id: string): string => id.slice(0, NAME_LENGTH);

export const createRefreshJti = (): string => {
  const random = randomUUID();
  return `${random.slice(0, 14)}8${random.slice(15, NAME_LENGTH)}00000000`;
};

/** `id` is a `jti`, or the id that is stored for it. */
export const toNextGeneration = (id: string): string =>
  nameOf(id) + (Number.parseInt(id.slice(NAME_LENGTH), 16) + 1).toString(16).padStart(8, '0');

/**
 * Returns the id that the token record stores. It contains a hash of the name, so that an attacker who can
 * read the records and knows the signing key still cannot sign a registered token. The hash needs no key,
 * because the name is random.
 */
export const hashRefreshJti = (jti: string): string => {
  const hex = createHash('sha256').update(nameOf(jti)).digest('hex').slice(0, 24);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') + jti.slice(NAME_LENGTH);
};

/** Returns the smallest and the largest id that the record can store. */
export const toRecordRange = (storedId: string): [string, string] => [
  `${nameOf(storedId)}00000000`,
  `${nameOf(storedId)}ffffffff`,
];

/** Returns the newest token of each record. Several cookies of one name may have tokens of one record. */
export const takeNewest = <Token extends { jti: string }>(tokens: readonly Token[]): Token[] => {
  const newest = new Map<string, Token>();
  // The last 32 bits have the same length, so the later generation is the greater text.
  for (const token of tokens.toSorted((one, other) => (one.jti < other.jti ? -1 : 1)))
    newest.set(nameOf(token.jti), token);
  return [...newest.values()];
};

export const refreshTokenSuperseded = () =>
  unauthorized('REFRESH_TOKEN_SUPERSEDED', 'Another request has just exchanged this refresh token');
export const refreshTokenReused = () =>
  unauthorized('REFRESH_TOKEN_REUSED', 'The refresh token was already used; its session is revoked');

/** The stored id of the current refresh token of a session, and how long ago it replaced the previous one. */
export type CurrentRefreshToken = { refreshTokenId: string; refreshedSeconds: number };

/**
 * Returns the state of a token that the session has issued. If the previous token is presented within the
 * leeway, two browser tabs raced. Any other old token counts as stolen, and RFC 9700, section 4.14.2 requires
 * that the session is revoked.
 */
export const classifyRefreshToken = (
  presentedId: string,
  { refreshTokenId, refreshedSeconds }: CurrentRefreshToken,
  leewaySeconds: number,
): 'current' | 'superseded' | 'reused' => {
  if (presentedId === refreshTokenId) return 'current';
  const isPrevious = toNextGeneration(presentedId) === refreshTokenId;
  return isPrevious && refreshedSeconds <= leewaySeconds ? 'superseded' : 'reused';
};

// Browsers clear a cookie only if its attributes are those with which it was set.
const ATTRIBUTES = { httpOnly: true, secure: true, sameSite: 'none', path: '/' } as const;

export const clearRefreshCookie = (kind: Kind): CookieChange => ({
  name: KIND_CONFIGS[kind].refreshCookie,
  options: ATTRIBUTES,
});

/** A refresh token and the seconds that it lives. */
export type IssuedRefreshToken = { refreshToken: string; refreshSeconds: number };

/** The cookie lives as long as its token. */
export const toRefreshCookie = (
  kind: Kind,
  { refreshToken, refreshSeconds }: IssuedRefreshToken,
): CookieChange => ({
  name: KIND_CONFIGS[kind].refreshCookie,
  value: refreshToken,
  options: { ...ATTRIBUTES, maxAge: refreshSeconds * 1_000 },
});
