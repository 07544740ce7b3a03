import { randomUUID } from 'node:crypto';
import { notFound, unauthorized, userBlocked } from '@platform/shared/errors/app-error';
import type { CookieChange } from '@platform/shared/http/operations';
import type { RequestContext } from '@platform/shared/http/request-context';
import type { Caller, KnownLanguage, SignInMethod } from '@platform/shared/platform/access/caller';
import { findPlatformRole } from '@platform/shared/platform/access/platform-role';
import { hashTokenId, signToken } from '@platform/shared/tokens/tokens';
import {
  type Account,
  type FactorMethod,
  requirePlatformRole,
  type TokenSubject,
} from '../accounts/account.ts';
import { KIND_CONFIGS, type Kind, type KindKeys } from '../kinds.ts';
import { createRefreshJti, hashRefreshJti, toNextGeneration } from './refresh-token-id.ts';

export type Session = {
  id: string;
  userId: string;
  fingerprint: string;
  ip: string;
  createdAt: Date;
  updatedAt: Date;
};

/** A session that an OpenID Connect provider has opened, as its back-channel logout identifies it. */
export type ProviderSession = {
  issuer: string;
  subject: string;
  /** The `sid` of the ID token. */
  sessionId: string | undefined;
  /** The `iat` of the ID token, in seconds, by the clock of the provider. */
  issuedAt: number;
  /**
   * When the user last proved their identity, in seconds. Single sign-on may open sessions long after that.
   */
  authenticatedAt?: number | undefined;
};

/** An account at a provider that the first step has confirmed. */
export type ConfirmedIdentity = ProviderSession & { email: string | null; isEmailVerified: boolean };

/**
 * How the user proved the first step of a sign-in. A link to a provider is committed only after the second
 * step.
 */
export type FirstStep = { method: SignInMethod; provider?: ConfirmedIdentity };

/** The origin of a sign-in request. */
export type SignInDevice = { fingerprint: string; context: RequestContext };

export type SignedIn = { account: Account; session: Session; accessToken: string; refreshToken: string };

/**
 * Checks a sign-in whose proofs are verified. @throws AppError 401 USER_BLOCKED, 403 PLATFORM_ROLE_INVALID
 */
export const requireEligible = (kind: Kind, account: Account): void => {
  if (account.isBlocked) throw userBlocked();
  requirePlatformRole(kind, account);
};

/** The device, and optionally the session, that a request identifies by its headers. */
export type SessionIdentifiers = { fingerprint: string; sessionId?: string | undefined };

export type AuthCaller = Caller<Account, Session> & {
  kind: Kind;
  signedInAt: Date;
  /** Null if the provider that opened the session does not report it. */
  authenticatedAt: Date | null;
  /** How the session was signed in, and the factors enabled since then. */
  methods: SignInMethod[];
  context: RequestContext;
};

/** A caller as the stores return it. */
export type StoredCaller = Omit<AuthCaller, 'context'>;

/** An entry in the list of the user's sessions. */
export type ListedSession = Session & { methods: SignInMethod[] };

/**
 * A request with a refresh token, of which only signature and expiry are verified. `getCaller` looks the
 * token up and throws unless it is valid. A refresh does not call it, because the rotation statement checks
 * the same.
 */
export type RefreshRequest = {
  kind: Kind;
  claims: { jti: string; userId: string };
  getCaller: () => Promise<AuthCaller>;
  /** Stores the language of the request if it differs from the stored one. */
  updateLanguage: (account: KnownLanguage) => void;
};

/**
 * The stored ids (hashTokenId, hashRefreshJti) and expiry times of a token pair. The tokens themselves are
 * not stored.
 */
export type TokenPairIds = {
  accessTokenId: string;
  accessTokenExpiredAt: Date;
  refreshTokenId: string;
  refreshTokenExpiredAt: Date;
};

/** A pair that is not signed yet. The `jti` of each token is not stored. */
type NewTokenPair = TokenPairIds & { accessJti: string; refreshJti: string };

export const invalidCredentials = () =>
  unauthorized('INVALID_CREDENTIALS', 'The e-mail or the password is wrong');
/** Thrown only after the correct password. */
export const secondFactorRequired = (challenge: string, factors: readonly FactorMethod[]) =>
  unauthorized('SECOND_FACTOR_REQUIRED', 'The second factor is required', { challenge, factors });
export const challengeInvalid = () =>
  unauthorized('CHALLENGE_INVALID', 'The challenge is not valid here or any more; sign in again');
const sessionNotFound = () =>
  unauthorized('SESSION_NOT_FOUND', 'Session not found for this token and device');
/** For a session id in the path. A 401 would make the client sign in again. */
export const sessionIdNotFound = () => notFound('SESSION_NOT_FOUND', 'Session not found');
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

/**
 * Whether the session has reached its maximum age, counted from the sign-in and not from the last refresh.
 * Without `maxAgeSeconds` there is no limit.
 */
export const isSessionExpired = (signedInAt: Date, maxAgeSeconds = Number.POSITIVE_INFINITY): boolean =>
  signedInAt.getTime() + maxAgeSeconds * 1_000 < Date.now();

/**
 * @throws AppError 401 SESSION_NOT_FOUND unless the device and the session id, if given, match the session of
 * the token
 */
export const requireSameSession = (
  session: Session,
  { fingerprint, sessionId }: SessionIdentifiers,
): void => {
  const isSame = sessionId === undefined || sessionId.toLowerCase() === session.id;
  if (session.fingerprint !== fingerprint || !isSame) throw sessionNotFound();
};

// Browsers clear a cookie only if its attributes are those with which it was set.
const ATTRIBUTES = { httpOnly: true, secure: true, sameSite: 'none', path: '/' } as const;

export const clearRefreshCookie = (kind: Kind): CookieChange => ({
  name: KIND_CONFIGS[kind].refreshCookie,
  options: ATTRIBUTES,
});

export const createRefreshCookie =
  (keys: KindKeys) =>
  (kind: Kind, value: string): CookieChange => ({
    name: KIND_CONFIGS[kind].refreshCookie,
    value,
    options: { ...ATTRIBUTES, maxAge: keys[kind].refreshSeconds * 1_000 },
  });

export type RefreshCookie = ReturnType<typeof createRefreshCookie>;

/**
 * The claims are built from the stored account each time, so that a revoked role does not survive a refresh.
 */
const toPayload = (kind: Kind, { userId, roles, profile }: TokenSubject): object => {
  const config = KIND_CONFIGS[kind];
  const platformRole = config.hasPlatformRole ? findPlatformRole(roles) : undefined;
  return {
    userId,
    roles,
    ...(config.profile && { [config.profile.idField]: profile?.id }),
    ...(platformRole && { platformRole }),
  };
};

/** At least 1, because a JWT counts whole seconds, and a lifetime of 0 would be expired from the start. */
const getSecondsUntil = (time: Date): number =>
  Math.max(1, Math.round((time.getTime() - Date.now()) / 1_000));

/** By default, `refreshJti` is that of a new token record. */
type PairOptions = { sessionMaxAgeSeconds?: number | undefined; refreshJti?: string };

/** The ids are created first, so that they are stored before the tokens exist. */
export const createTokenIssuer = (keys: KindKeys) => ({
  /**
   * No token outlives its session, because admin-service accepts a token until it expires and does not know
   * the maximum age of a session.
   */
  createTokenPair: (
    kind: Kind,
    { sessionMaxAgeSeconds = Number.POSITIVE_INFINITY, refreshJti = createRefreshJti() }: PairOptions,
  ): NewTokenPair => {
    const { accessKeys, accessSeconds, refreshSeconds } = keys[kind];
    const now = Date.now();
    const accessJti = randomUUID();
    return {
      accessJti,
      refreshJti,
      accessTokenId: hashTokenId(accessKeys[0], accessJti),
      accessTokenExpiredAt: new Date(now + Math.min(accessSeconds, sessionMaxAgeSeconds) * 1_000),
      refreshTokenId: hashRefreshJti(refreshJti),
      refreshTokenExpiredAt: new Date(now + Math.min(refreshSeconds, sessionMaxAgeSeconds) * 1_000),
    };
  },

  signTokens: (kind: Kind, subject: TokenSubject, pair: NewTokenPair) => {
    const { accessKeys, refreshKeys } = keys[kind];
    const payload = toPayload(kind, subject);
    return {
      accessToken: signToken(payload, {
        key: accessKeys[0],
        jti: pair.accessJti,
        lifetimeSeconds: getSecondsUntil(pair.accessTokenExpiredAt),
      }),
      refreshToken: signToken(payload, {
        key: refreshKeys[0],
        jti: pair.refreshJti,
        lifetimeSeconds: getSecondsUntil(pair.refreshTokenExpiredAt),
      }),
    };
  },
});

export type TokenIssuer = ReturnType<typeof createTokenIssuer>;
