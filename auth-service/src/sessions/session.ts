import { notFound, unauthorized } from '@platform/shared/errors/app-error';
import type { RequestContext } from '@platform/shared/http/request-context';
import type { SignInMethod } from '@platform/shared/platform/access/caller';
import type { Session } from '../authentication/callers.ts';

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

const MAX_USER_AGENT_LENGTH = 256;

/** The origin of a sign-in request, and whether the user wants to stay signed in there. */
export type SignInDevice = {
  fingerprint: string;
  userAgent: string | null;
  staySignedIn: boolean;
  context: RequestContext;
};

/** The origin of a request for a code. */
export type RequestingDevice = Pick<SignInDevice, 'userAgent' | 'context'> & {
  fingerprint?: string | undefined;
};

/** The user agent as it is stored. */
export const toUserAgent = (header: string | undefined): string | null =>
  header?.trim().slice(0, MAX_USER_AGENT_LENGTH) || null;

export const toRequestingDevice = ({
  headers,
  userAgent,
  context,
}: {
  headers: { 'X-Fingerprint'?: string };
  userAgent: string | undefined;
  context: RequestContext;
}): RequestingDevice => ({
  fingerprint: headers['X-Fingerprint'],
  userAgent: toUserAgent(userAgent),
  context,
});

/** The device, and optionally the session, that a request identifies by its headers. */
export type SessionIdentifiers = { fingerprint: string; sessionId?: string | undefined };

/** An entry in the list of the user's sessions. */
export type ListedSession = Session & {
  methods: SignInMethod[];
  /** The header of the sign-in; null without one. */
  userAgent: string | null;
  signedInAt: Date;
  /** Null before the first refresh. */
  refreshedAt: Date | null;
  staysSignedIn: boolean;
};

export const sessionNotFound = () =>
  unauthorized('SESSION_NOT_FOUND', 'Session not found for this token and device');
/** The session id is in the path, so a 401 would make the client sign in again. */
export const sessionIdNotFound = () => notFound('SESSION_NOT_FOUND', 'Session not found');
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
