import { createHash } from 'node:crypto';
import {
  AppError,
  conflict,
  notFound,
  unauthorized,
  validationFailed,
} from '@platform/shared/errors/app-error';
import { findBrokenTextRule, isNewEmail, tidyText } from '@platform/shared/http/text-rules';
import type { ProviderMethod } from '@platform/shared/platform/access/caller';
import { normaliseEmail } from '../accounts/account.ts';
import type { Kind } from '../kinds.ts';
import type { ProviderSession } from '../sessions/session.ts';

/** An account at a provider that can sign in to a user's account. */
export type Identity = {
  id: string;
  /** The name in OIDC_PROVIDERS. */
  provider: string;
  /** The address at the provider at the last use. It proves nothing. */
  email: string | null;
  linkedAt: Date;
  lastUsedAt: Date | null;
};

/** The issuer and subject identify an identity. */
export type IdentityKey = { issuer: string; subject: string };

/** The claims that a provider has confirmed. */
export type ProviderClaims = IdentityKey & {
  /** The address in lower case, or null if it is missing or could not be the e-mail of an account. */
  email: string | null;
  isEmailVerified: boolean;
  firstName: string | undefined;
  lastName: string | undefined;
  /** The `sid` of the provider's session, for back-channel logout. */
  sessionId: string | undefined;
  /** The time in the ID token, in seconds by the provider's clock. */
  issuedAt: number;
  /** The `auth_time` of the ID token, never in the future. */
  authenticatedAt: number | undefined;
  hasSecondFactor: boolean;
};

/** An account at a provider that the first step has confirmed. */
export type ConfirmedIdentity = ProviderSession & { email: string | null; isEmailVerified: boolean };

/** A valid logout token. It has a subject, a session id or both. */
export type LogoutClaims = {
  issuer: string;
  subject: string | undefined;
  sessionId: string | undefined;
  issuedAt: number;
  tokenId: string;
};

/** The binding of a request to the provider. Its response is valid once and only for the same binding. */
export type AuthorizationBinding = {
  purpose: 'sign-in' | 'link';
  kind: Kind;
  provider: string;
  /** The fingerprint of a sign-in, or the owner of a prepared link. */
  owner: string;
};

export type Authorization = {
  redirectUri: string;
  nonce: string;
  verifier: string;
  maxAgeSeconds: number;
  /** The choice of who starts a sign-in. */
  staySignedIn: boolean;
};

/**
 * Providers return the time of the authentication only if there is a limit. This one does not restrict single
 * sign-on.
 */
export const SINGLE_SIGN_ON_SECONDS = 30 * 86_400;

export const AUTHORIZATION_SECONDS = 600;

export const CLOCK_SKEW_SECONDS = 60;
/** The maximum age of an ID token or logout token. */
export const MAX_TOKEN_AGE_SECONDS = 600;
/** The time between the first and the last moment in which a logout token can be used. */
export const LOGOUT_TOKEN_SECONDS = MAX_TOKEN_AGE_SECONDS + 2 * CLOCK_SKEW_SECONDS;

/** A digest for keys and values in Redis. JSON keeps the boundaries of several values. */
export const toDigest = (value: string | readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url');

export const toMethod = ({ id }: { id: string }): ProviderMethod => `oidc:${id}`;

export const providerNotFound = () => notFound('PROVIDER_NOT_FOUND', 'Provider not found');
export const identityNotFound = () => notFound('IDENTITY_NOT_FOUND', 'Identity not found');
export const identityTaken = () => conflict('IDENTITY_TAKEN', 'This identity is linked to another account');
export const stateInvalid = () =>
  unauthorized('OIDC_STATE_INVALID', 'This sign-in is unknown, used or expired; start again');
export const denied = () => unauthorized('OIDC_DENIED', 'The provider did not confirm the sign-in');
export const responseInvalid = (cause?: unknown) =>
  new AppError('OIDC_RESPONSE_INVALID', 401, 'The response of the provider is not valid', {
    headers: { 'WWW-Authenticate': 'Bearer' },
    cause,
  });
export const providerUnavailable = (cause?: unknown) =>
  new AppError('OIDC_PROVIDER_UNAVAILABLE', 503, 'The provider is unavailable; retry later.', {
    headers: { 'Retry-After': '1' },
    cause,
  });
export const redirectUriInvalid = () =>
  validationFailed('The redirect URI is not allowed', [
    {
      path: '/body/redirectUri',
      message:
        "must be a listed redirect URI; with several providers, its path ends with the provider's name",
      rule: 'redirect-uri',
    },
  ]);
export const logoutTokenInvalid = () =>
  validationFailed('The logout token is not valid', [
    { path: '/body/logout_token', message: 'must be a valid, unused logout token', rule: 'logout-token' },
  ]);

/** Finds an AppError in an error of the provider or its library, however it is wrapped. */
export const findAppError = (error: unknown): AppError | undefined => {
  if (error instanceof AppError) return error;
  return error instanceof Error && error.cause !== undefined ? findAppError(error.cause) : undefined;
};

export const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'OIDC_PROVIDER_UNAVAILABLE';

const toEmail = (value: unknown): string | null =>
  typeof value === 'string' && isNewEmail(value) ? normaliseEmail(value) : null;

const MAX_NAME_LENGTH = 100;

/** Undefined for a name that a profile cannot have. */
const toName = (value: unknown): string | undefined => {
  if (typeof value !== 'string' || !value.isWellFormed()) return undefined;
  const name = tidyText(value, 'one-line');
  if (findBrokenTextRule(name, 'one-line') !== undefined) return undefined;
  return /[\p{L}\p{N}]/u.test(name) && [...name].length <= MAX_NAME_LENGTH ? name : undefined;
};

/** RFC 8176: several factors, a one-time password, a key in hardware. */
const SECOND_FACTORS = ['mfa', 'otp', 'hwk'];

const toText = (value: unknown): string | undefined =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= 255 &&
  !value.includes('\0') &&
  value.isWellFormed()
    ? value
    : undefined;

type Claims = Record<string, unknown>;

export const hasEmailClaims = (claims: Claims): boolean =>
  claims['email'] !== undefined && claims['email_verified'] !== undefined;

/**
 * The e-mail and its verification come from `profile`, and the security of the sign-in only from the ID
 * token.
 * @throws AppError 401 OIDC_RESPONSE_INVALID for a subject that OpenID Connect does not allow
 */
export const toProviderClaims = (issuer: string, claims: Claims, profile: Claims): ProviderClaims => {
  const subject = toText(claims['sub']);
  if (subject === undefined) throw responseInvalid();
  const { email, email_verified: isVerified } = profile;
  const { amr, auth_time: time } = claims;
  return {
    issuer,
    subject,
    email: toEmail(email),
    // Some providers send a string.
    isEmailVerified: isVerified === true || isVerified === 'true',
    firstName: toName(claims['given_name'] ?? profile['given_name']),
    lastName: toName(claims['family_name'] ?? profile['family_name']),
    sessionId: toText(claims['sid']),
    issuedAt: Number(claims['iat']),
    authenticatedAt: typeof time === 'number' && time >= 0 ? Math.min(time, Date.now() / 1_000) : undefined,
    hasSecondFactor: Array.isArray(amr) && amr.some((method) => SECOND_FACTORS.includes(method)),
  };
};

/** OpenID Connect Core 1.0, 3.1.3.6: the left half of the hash that the signature of the token uses. */
const toTokenHash = (value: string, algorithm: string): string => {
  const hash = createHash(algorithm.startsWith('Ed') ? 'sha512' : 'sha256')
    .update(value)
    .digest();
  return hash.subarray(0, hash.length / 2).toString('base64url');
};

/**
 * Claims that bind an ID token to the client, code and access token of its response. They are optional.
 * @throws AppError 401 OIDC_RESPONSE_INVALID
 */
export const requireSameResponse = (
  claims: Claims,
  algorithm: string,
  { clientId, code, accessToken }: { clientId: string; code: string; accessToken: string },
): void => {
  const expected = {
    azp: clientId,
    c_hash: toTokenHash(code, algorithm),
    at_hash: toTokenHash(accessToken, algorithm),
  };
  for (const [name, value] of Object.entries(expected))
    if (claims[name] !== undefined && claims[name] !== value) throw responseInvalid();
};

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** OpenID Connect Back-Channel Logout 1.0, 2.6. @throws AppError 400 VALIDATION_FAILED */
export const toLogoutClaims = (claims: Record<string, unknown>): LogoutClaims => {
  const { events, nonce } = claims;
  const isLogout = typeof events === 'object' && events !== null && LOGOUT_EVENT in events;
  const [tokenId, subject, sessionId] = [claims['jti'], claims['sub'], claims['sid']].map(toText);
  if (!isLogout || nonce !== undefined || tokenId === undefined || (subject ?? sessionId) === undefined)
    throw logoutTokenInvalid();
  return { issuer: String(claims['iss']), subject, sessionId, issuedAt: Number(claims['iat']), tokenId };
};
