import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import jsonwebtoken, { type JwtPayload } from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import type { Secret } from '../config/secrets.ts';

// RFC 8725, 3.1: a fixed algorithm, never the one in the token's header.
const ALGORITHM = 'HS256';
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

const createTokenKey = (secret: string): KeyObject => createSecretKey(Buffer.from(secret));

/**
 * The signing key first, then keys that only verify. With a string instead of a KeyObject, each call of
 * jsonwebtoken takes about fifty times as long.
 */
export const createTokenKeys = ({ current, previous }: Secret): [KeyObject, ...KeyObject[]] => [
  createTokenKey(current),
  ...previous.map(createTokenKey),
];

export type TokenClaims = Readonly<{
  userId: string;
  roles: readonly string[];
  jti: string;
  /** The `jti` as stored in token records (hashTokenId). */
  storedId: string;
  platformRole?: string | undefined;
  /** Unix times in seconds, as in the token. */
  issuedAt: number;
  expiresAt: number;
}>;

type VerifiedToken = { key: KeyObject; claims: TokenClaims };

/**
 * A keyed hash of a token's `jti`, formatted as a UUID, which is stored in token records. Read access to the
 * records is not sufficient to forge a registered token, even with the signing key.
 */
export const hashTokenId = (key: KeyObject, jti: string): string => {
  const hex = createHmac('sha256', key).update(`token id\0${jti}`).digest('hex');
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

type Signing = { key: KeyObject; jti: string; lifetimeSeconds: number };

export const signToken = (payload: object, { key, jti, lifetimeSeconds }: Signing): string =>
  jsonwebtoken.sign(payload, key, { algorithm: ALGORITHM, jwtid: jti, expiresIn: lifetimeSeconds });

const toClaims = (payload: JwtPayload, key: KeyObject): TokenClaims | undefined => {
  const { userId, jti, roles, platformRole, iat = 0, exp } = payload;
  if (!isUuid(userId) || !isUuid(jti) || exp === undefined) return undefined;
  return {
    userId,
    jti,
    storedId: hashTokenId(key, jti),
    roles: Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [],
    platformRole: typeof platformRole === 'string' ? platformRole : undefined,
    issuedAt: iat,
    expiresAt: exp,
  };
};

const verifyWithKey = (token: string, key: KeyObject): VerifiedToken | undefined => {
  try {
    const payload = jsonwebtoken.verify(token, key, { algorithms: [ALGORITHM] });
    if (typeof payload === 'string') return undefined;
    const claims = toClaims(payload, key);
    return claims && { key, claims };
  } catch (error) {
    // For a payload that is not JSON, jsonwebtoken throws a SyntaxError before it checks the signature.
    if (error instanceof jsonwebtoken.JsonWebTokenError || error instanceof SyntaxError) return undefined;
    throw error;
  }
};

const verify = (token: string, keys: readonly KeyObject[]): VerifiedToken | undefined => {
  for (const key of keys) {
    const verified = verifyWithKey(token, key);
    if (verified) return verified;
  }
  return undefined;
};

/** Returns the claims of an unexpired token that was signed with one of the keys, otherwise undefined. */
export const verifyToken = (token: string, keys: readonly KeyObject[]): TokenClaims | undefined =>
  verify(token, keys)?.claims;

/** About 1 MB. */
const MAX_REMEMBERED_TOKENS = 2_000;

/**
 * Returns a verifyToken for access tokens that caches verified tokens, because a client sends the same token
 * with each request. The key and the expiry are checked again; whether a token is revoked is checked in the
 * database. Rejected tokens are not cached.
 */
export const createTokenVerifier = (): typeof verifyToken => {
  const remembered = new LRUCache<string, VerifiedToken>({ max: MAX_REMEMBERED_TOKENS });
  return (token, keys) => {
    const known = remembered.get(token);
    // A token that was signed with one key is never valid with another.
    if (known)
      return keys.includes(known.key) && Date.now() < known.claims.expiresAt * 1_000
        ? known.claims
        : undefined;
    const verified = verify(token, keys);
    if (verified) remembered.set(token, verified);
    return verified?.claims;
  };
};

/** Returns the token of an `Authorization: Bearer` header (RFC 6750, 2.1), otherwise undefined. */
export const parseBearerToken = (authorization: string | undefined): string | undefined =>
  /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization ?? '')?.[1];
