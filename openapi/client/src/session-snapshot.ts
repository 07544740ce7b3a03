import type { Kind, SessionOf, UserOf } from './kinds.ts';

/** Why the session ended: a sign-out or sign-in in any tab, a closed browser, or an error code of the platform. */
export type SignOutReason =
  | 'SIGNED_OUT'
  | 'SIGNED_IN_AS_ANOTHER'
  | 'BROWSER_CLOSED'
  | 'TOKEN_INVALID'
  | 'REFRESH_TOKEN_REUSED'
  | 'SESSION_NOT_FOUND'
  | 'USER_BLOCKED'
  | 'VALIDATION_FAILED';

/** The local state; the platform may already have ended the session. */
export type SessionSnapshot<K extends Kind = Kind> =
  /** The storage has not been read yet: on a server, or if it is asynchronous. */
  | { status: 'unknown'; user: undefined; session: undefined; reason?: undefined }
  | { status: 'signed-in'; user: UserOf<K>; session: SessionOf<K>; reason?: undefined }
  /** `reason` is set if the session ended while this page was open, or because the browser was closed. */
  | { status: 'signed-out'; user: undefined; session: undefined; reason?: SignOutReason };

export const UNKNOWN_SESSION: SessionSnapshot<never> = {
  status: 'unknown',
  user: undefined,
  session: undefined,
};

export const toSnapshot = <K extends Kind>({
  signedIn,
  reason,
}: {
  signedIn?: object | undefined;
  reason?: SignOutReason;
}): SessionSnapshot<K> => {
  if (signedIn) return { status: 'signed-in', ...signedIn } as SessionSnapshot<K>;
  return { status: 'signed-out', user: undefined, session: undefined, ...(reason && { reason }) };
};
