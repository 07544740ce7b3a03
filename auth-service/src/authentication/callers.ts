import type { RequestContext } from '@platform/shared/http/request-context';
import type { ActingAdministrator } from '@platform/shared/platform/access/by';
import type {
  Caller,
  CallerAccount,
  KnownPreferences,
  SignInMethod,
} from '@platform/shared/platform/access/caller';
import type { ProvedCaller } from '@platform/shared/platform/access/recent-proof';
import type { Profile } from '@platform/shared/platform/profile';
import type { Kind } from '../kinds.ts';

/** A user as one kind, with the profile of that kind. Administrators have no profile. */
export type Account = CallerAccount & { profile: Profile | null };

export type Session = {
  id: string;
  userId: string;
  fingerprint: string;
  ip: string;
  createdAt: Date;
  updatedAt: Date;
};

/** A caller as the stores return it. */
export type StoredCaller = Caller<Account, Session> & {
  kind: Kind;
  signedInAt: Date;
  /** Null if the provider that opened the session does not report it. */
  authenticatedAt: Date | null;
  /** How the session was signed in, and the factors enabled since then. */
  methods: SignInMethod[];
};

export type AuthCaller = StoredCaller & { context: RequestContext };

/** The session that changes the account. It keeps its token record, `tokenId`. */
export type ConfirmingCaller = Pick<
  AuthCaller,
  'kind' | 'account' | 'tokenId' | 'authenticatedAt' | 'context'
> & { session: Pick<Session, 'fingerprint'> };

/** The caller of an administrator's registration: an ADMIN, or nobody while the platform has no ADMIN. */
export type RegistrationCaller = ProvedCaller & { administrator?: ActingAdministrator };

/**
 * A request with a refresh token. `getCaller` throws unless the token is valid. A refresh calls it only to
 * find the reason for a failure, because the rotation statement looks the token up.
 */
export type RefreshRequest = {
  kind: Kind;
  claims: { jti: string; userId: string };
  getCaller: () => Promise<AuthCaller>;
  /** Stores the language and the time zone of the request if they differ from the stored ones. */
  updatePreferences: (account: KnownPreferences) => void;
};
