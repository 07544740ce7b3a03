import { createHash } from 'node:crypto';
import { badRequest, conflict, forbidden, notFound } from '@platform/shared/errors/app-error';
import type { Language } from '@platform/shared/http/language';
import type { RequestContext } from '@platform/shared/http/request-context';
import type { CallerAccount, SignInMethod } from '@platform/shared/platform/access/caller';
import { getPlatformRole } from '@platform/shared/platform/access/platform-role';
import type { AuditAction, AuditRecord } from '@platform/shared/platform/audit/audit-log';
import type { Guess, GuessedSecret } from '../guess-limits/guess-limits.ts';
import { KIND_CONFIGS, type Kind, type ProfileKind } from '../kinds.ts';

/** A way to prove a second factor, as in the `factors` of a sign-in that requires one. */
export type FactorMethod = Extract<SignInMethod, 'totp' | 'recovery-code' | 'passkey'>;

export type Profile = {
  id: string;
  userId: string;
  firstName: string | null;
  lastName: string | null;
  phone: string | null;
  createdAt: Date;
  updatedAt: Date;
};

/** A user as one kind, with the profile of that kind. Administrators have no profile. */
export type Account = CallerAccount & { profile: Profile | null };

/** The data from which the payload of a token is built. */
export type TokenSubject = Pick<Account, 'userId' | 'roles'> & { profile: Pick<Profile, 'id'> | null };

/** The caller of an administrator's registration: an ADMIN, or nobody while the platform has no ADMIN. */
export type RegistrationCaller = { administratorId?: string };

export type AccountWithPassword = Account & {
  /** Null for an account without a password. */
  passwordHash: string | null;
  /** Increased by every change of the user's second factors. */
  factorVersion: number;
  /** The ways to prove a second factor; empty unless one is enabled. */
  factors: FactorMethod[];
};

/** If there is no password hash, an identity at a provider signs in. */
export type NewUser = { email: string; passwordHash: string | null; language: Language };

export type NewProfile = {
  firstName?: string | undefined;
  lastName?: string | undefined;
  phone?: string | undefined;
};

const PROFILE_FIELDS = ['firstName', 'lastName', 'phone'] as const;

/** Null clears a field. */
export type ProfileChanges = { [Field in (typeof PROFILE_FIELDS)[number]]?: string | null | undefined };

/** Omits the fields that already have the value. */
export const toEffectiveChanges = (profile: Profile, changes: ProfileChanges): ProfileChanges =>
  Object.fromEntries(
    PROFILE_FIELDS.filter((field) => changes[field] !== undefined && changes[field] !== profile[field]).map(
      (field) => [field, changes[field]],
    ),
  );

/** Waiting sign-ins and pending changes are bound to this state. */
export type AccountState = Pick<AccountWithPassword, 'passwordHash' | 'factorVersion' | 'isEmailVerified'>;

/** Changes whenever the account's password or factors change, and with the first proof of its e-mail. */
export const toStateDigest = ({ passwordHash, factorVersion, isEmailVerified }: AccountState): string =>
  createHash('sha256').update(`${isEmailVerified}:${factorVersion}:${passwordHash}`).digest('base64url');

/** Whether the account is still in the state of the digest. */
export const isStateCurrent = ({ accountState }: { accountState: string }, state: AccountState): boolean =>
  toStateDigest(state) === accountState;

/** The session that changes the account. It keeps its token record, `tokenId`. */
export type ConfirmingCaller = {
  kind: Kind;
  account: Account;
  session: { fingerprint: string };
  tokenId: string;
  authenticatedAt: Date | null;
  context: RequestContext;
};

/** The attempt of a signed-in user at a secret of the user's account. */
export const toOwnGuess = (
  secret: GuessedSecret,
  { account, session, context }: ConfirmingCaller,
): Guess => ({
  secret,
  account,
  email: account.email,
  device: { fingerprint: session.fingerprint, context },
});

/** The record contains no e-mail, so that it can outlive the account. */
export const toAccountAudit = (
  action: AuditAction,
  { kind, userId }: { kind: Kind; userId: string },
  { requestId, address }: RequestContext,
  details: object = {},
): AuditRecord => ({
  requestId,
  address,
  action,
  targetType: 'USER',
  targetId: userId,
  details: { kind, ...details },
});

/** The record of an action of a user on the user's account. */
export const toOwnAudit = (
  action: AuditAction,
  { kind, account: { userId }, context }: Pick<ConfirmingCaller, 'kind' | 'account' | 'context'>,
  details?: object,
): AuditRecord => ({ ...toAccountAudit(action, { kind, userId }, context, details), actorId: userId });

/** The record of an account that was created with the role of its kind. */
export const toNewAccountAudit = (
  action: 'ACCOUNT_REGISTERED' | 'ACCOUNT_IMPORTED',
  { kind, userId }: { kind: ProfileKind; userId: string },
  context: RequestContext,
  { isEmailVerified }: { isEmailVerified: boolean },
): AuditRecord =>
  toAccountAudit(action, { kind, userId }, context, {
    role: KIND_CONFIGS[kind].profile.role,
    isEmailVerified,
  });

/** Accepts the prefix of any implementation, because the algorithm is the same. */
export const BCRYPT_HASH = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/;

/** Users type their e-mail in any letter case. */
export const normaliseEmail = (email: string): string => email.toLowerCase();

export const currentPasswordWrong = () =>
  badRequest('CURRENT_PASSWORD_WRONG', 'The current password is wrong');
export const lastSignInMethod = () =>
  conflict('LAST_SIGN_IN_METHOD', 'The account has no other way to sign in; set a password first');
export const platformRoleTaken = () =>
  conflict('PLATFORM_ROLE_TAKEN', 'The user already has a platform role');
const emailNotVerified = () =>
  forbidden('EMAIL_NOT_VERIFIED', 'Verify the e-mail address of this account first');

/**
 * The owner of an address owns its factors, and the account does not own an unverified address yet. A deleted
 * user is unverified. @throws AppError 403 EMAIL_NOT_VERIFIED
 */
export const requireVerifiedEmail = (account: { isEmailVerified: boolean } | undefined): void => {
  if (!account?.isEmailVerified) throw emailNotVerified();
};
export const userNotFound = () => notFound('USER_NOT_FOUND', 'User not found');
const domainNotAllowed = () =>
  forbidden('DOMAIN_NOT_ALLOWED', 'Administrators need an e-mail address of an allowed domain');
export const emailTaken = () => conflict('EMAIL_TAKEN', 'An account with this e-mail already exists');

/** Subdomains do not match. `allowedDomains` are in lower case. @throws AppError 403 DOMAIN_NOT_ALLOWED */
export const requireAllowedDomain = (email: string, allowedDomains: readonly string[]): void => {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (!allowedDomains.includes(domain)) throw domainNotAllowed();
};

/** Applies to a kind that is restricted to certain domains. @throws AppError 403 DOMAIN_NOT_ALLOWED */
export const requireDomainOfKind = (kind: Kind, email: string, allowedDomains: readonly string[]): void => {
  if (KIND_CONFIGS[kind].hasPlatformRole) requireAllowedDomain(email, allowedDomains);
};

/** Applies to a kind that requires a platform role. @throws AppError 403 PLATFORM_ROLE_INVALID */
export const requirePlatformRole = (kind: Kind, { roles }: Account): void => {
  if (KIND_CONFIGS[kind].hasPlatformRole) getPlatformRole(roles);
};
