import { createSecretKey, type KeyObject } from 'node:crypto';
import jsonwebtoken, { type JwtPayload } from 'jsonwebtoken';
import type { Secret } from '../config/secrets.ts';

// RFC 8725, 3.1: one algorithm, named by us and never read from the token.
const ALGORITHM = 'HS256';
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

/** Made once per secret: a string costs jsonwebtoken about fifty times as much at every call as a key object. */
const createTokenKey = (secret: string): KeyObject => createSecretKey(Buffer.from(secret));

/** The key that signs, then those that only verify. */
export const createTokenKeys = ({ current, previous }: Secret): [KeyObject, ...KeyObject[]] => [
  createTokenKey(current),
  ...previous.map(createTokenKey),
];

/** What a token says; `jti` names it in the token records. */
export type TokenClaims = { userId: string; roles: string[]; jti: string; platformRole?: string | undefined };

type Signing = { key: KeyObject; jti: string; lifetimeSeconds: number };

export const signToken = (payload: object, { key, jti, lifetimeSeconds }: Signing): string =>
  jsonwebtoken.sign(payload, key, { algorithm: ALGORITHM, jwtid: jti, expiresIn: lifetimeSeconds });

const toClaims = (payload: JwtPayload): TokenClaims | undefined => {
  const { userId, jti, roles, platformRole } = payload;
  if (!isUuid(userId) || !isUuid(jti)) return undefined;
  return {
    userId,
    jti,
    roles: Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [],
    platformRole: typeof platformRole === 'string' ? platformRole : undefined,
  };
};

const verifyWithKey = (token: string, key: KeyObject): TokenClaims | undefined => {
  try {
    const payload = jsonwebtoken.verify(token, key, { algorithms: [ALGORITHM] });
    return typeof payload === 'string' || payload.exp === undefined ? undefined : toClaims(payload);
  } catch (error) {
    // A payload that is not JSON ends as a SyntaxError, before the signature is looked at: anybody can send one.
    if (error instanceof jsonwebtoken.JsonWebTokenError || error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/**
 * The claims of a token with a good signature of one of the keys that has not expired, else undefined. The first key is
 * the one that signs; the others are of secrets that were replaced, and sign nothing any more.
 */
export const verifyToken = (token: string, keys: readonly KeyObject[]): TokenClaims | undefined => {
  for (const key of keys) {
    const claims = verifyWithKey(token, key);
    if (claims) return claims;
  }
  return undefined;
};

/** The token of an `Authorization: Bearer` header (RFC 6750, 2.1), else undefined. */
export const parseBearerToken = (authorization: string | undefined): string | undefined =>
  /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization ?? '')?.[1];
