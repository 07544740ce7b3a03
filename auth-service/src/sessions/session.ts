import type { Caller } from '@platform/shared/access/caller';
import { notFound, unauthorized } from '@platform/shared/errors/app-error';
import type { Account } from '../accounts/account.ts';
import type { Kind } from '../kinds.ts';

export type Session = {
  id: string;
  userId: string;
  fingerprint: string;
  ip: string;
  createdAt: Date;
  updatedAt: Date;
};

/** Where a sign-in comes from: the device, its address and the client network that limits count by. */
export type Device = { fingerprint: string; ip: string; network: string };

export type AuthCaller = Caller<Account, Session> & { kind: Kind; signedInAt: Date };

/**
 * A refresh token of which no more is known than that it was signed here and has not expired. `getCaller` finds whose it
 * is, if it is current; a refresh finds out in the statement that exchanges it.
 */
export type PresentedToken = {
  kind: Kind;
  claims: { jti: string; userId: string };
  getCaller: () => Promise<AuthCaller>;
};

/** The identifiers and expiry times of a pair; the tokens themselves are stored nowhere. */
export type TokenPairIds = {
  accessTokenId: string;
  accessTokenExpiredAt: Date;
  refreshTokenId: string;
  refreshTokenExpiredAt: Date;
};

export const invalidCredentials = () =>
  unauthorized('INVALID_CREDENTIALS', 'The e-mail or the password is wrong');
export const sessionNotFound = () =>
  unauthorized('SESSION_NOT_FOUND', 'There is no such session for this token and device');
/** Asked for by its id, where 401 would tell the caller to sign in again. */
export const sessionIdNotFound = () => notFound('SESSION_NOT_FOUND', 'There is no such session');
export const refreshTokenSuperseded = () =>
  unauthorized('REFRESH_TOKEN_SUPERSEDED', 'Another request has just exchanged this refresh token');
export const refreshTokenReused = () =>
  unauthorized(
    'REFRESH_TOKEN_REUSED',
    "This refresh token was used before; the session's tokens are removed",
  );

/** What a session knows of a refresh token that it once issued. */
export type RefreshTokenHistory = {
  isCurrent: boolean;
  /** The current token replaced just this one. */
  isPrevious: boolean;
  supersededSeconds: number;
};

/**
 * A token that was exchanged a moment ago is two tabs racing; any other old one is a thief or a thief's victim.
 * RFC 9700, 4.14.2 asks to end the session then.
 */
export const judgeRefreshToken = (
  { isCurrent, isPrevious, supersededSeconds }: RefreshTokenHistory,
  leewaySeconds: number,
): 'current' | 'superseded' | 'reused' => {
  if (isCurrent) return 'current';
  return isPrevious && supersededSeconds <= leewaySeconds ? 'superseded' : 'reused';
};

/** When a session ends however often it is refreshed; undefined sets no limit. */
export const endOfSession = (signedInAt: Date, maxAgeSeconds: number | undefined): Date | undefined =>
  maxAgeSeconds === undefined ? undefined : new Date(signedInAt.getTime() + maxAgeSeconds * 1_000);

export const isOverAge = (signedInAt: Date, maxAgeSeconds: number | undefined): boolean => {
  const end = endOfSession(signedInAt, maxAgeSeconds);
  return end !== undefined && end.getTime() < Date.now();
};

export type PresentedSession = { fingerprint: string; sessionId?: string | undefined };

/** The device and, if given, the session must be those of the token. @throws AppError 401 SESSION_NOT_FOUND */
export const requireSameSession = (session: Session, { fingerprint, sessionId }: PresentedSession): void => {
  const isSame = sessionId === undefined || sessionId.toLowerCase() === session.id;
  if (session.fingerprint !== fingerprint || !isSame) throw sessionNotFound();
};
