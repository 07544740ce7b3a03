import { conflict, forbidden } from '@platform/shared/errors/app-error';
import type { RequestContext } from '@platform/shared/http/request-context';
import { findPlatformRole, isPlatformRole } from '@platform/shared/platform/access/platform-role';
import type { AccountWithPassword, MailPreferences } from '../accounts/account.ts';
import { KIND_CONFIGS, type Kind } from '../kinds.ts';
import type { Identity, ProviderClaims } from '../oidc/oidc.ts';
import type { OidcProvider } from '../oidc/oidc-settings.ts';

/** A sign-in whose identity a provider has confirmed. */
export type ConfirmedSignIn = {
  kind: Kind;
  provider: OidcProvider;
  claims: ProviderClaims;
  /** The preferences for mails that a new account starts with. */
  preferences: MailPreferences;
  context: RequestContext;
};

/** `account` is undefined for a user who has no account of the kind. */
export type Found = {
  identity: Identity | undefined;
  userId: string | undefined;
  account: AccountWithPassword | undefined;
};

/** How a user relates to the kind of account that somebody signs in to. */
type Relation = 'none' | 'of-kind' | 'of-other-kind';

/** The known facts after a provider has confirmed an identity and its e-mail. */
export type LinkingFacts = {
  kind: Kind;
  /** The user of the identity. */
  identity: Relation;
  /** The user with the e-mail; irrelevant for a known identity. */
  account: Relation;
  /** Whether the provider has verified the e-mail. */
  isVerifiedThere: boolean;
  /** Whether the account with this e-mail has verified the address. */
  isVerifiedHere: boolean;
  /** Whether the provider may vouch for the domain of the e-mail. */
  mayVouch: boolean;
  isBlocked: boolean;
  /** Whether the user has exactly one platform role. */
  hasRole: boolean;
  /**
   * False if the user has a platform role that the provider is not for. With a platform role, the user counts
   * as an administrator in every kind of session.
   */
  isProviderAllowed: boolean;
  /** Whether the provider creates accounts. */
  allowsSignUp: boolean;
};

export type LinkingRejection =
  | 'USER_BLOCKED'
  | 'PROVIDER_NOT_ALLOWED'
  | 'PLATFORM_ROLE_INVALID'
  | 'OIDC_EMAIL_UNVERIFIED'
  | 'OIDC_NO_ACCOUNT'
  | 'EMAIL_TAKEN'
  | 'ACCOUNT_EXISTS';

export type LinkingAction = 'sign-in' | 'sign-up-verified' | 'sign-up-unverified' | 'link' | 'take-over';

type LinkingDecision = { action: LinkingAction } | { rejection: LinkingRejection };

/** The reason to reject a user of the kind, if there is one. */
const findObstacle = (facts: LinkingFacts): LinkingDecision | undefined => {
  const { kind, isBlocked, isProviderAllowed, hasRole } = facts;
  if (isBlocked) return { rejection: 'USER_BLOCKED' };
  if (!isProviderAllowed) return { rejection: 'PROVIDER_NOT_ALLOWED' };
  return KIND_CONFIGS[kind].hasPlatformRole && !hasRole ? { rejection: 'PLATFORM_ROLE_INVALID' } : undefined;
};

const decideSignUp = ({ kind, allowsSignUp, mayVouch }: LinkingFacts): LinkingDecision => {
  if (!allowsSignUp || KIND_CONFIGS[kind].hasPlatformRole) return { rejection: 'OIDC_NO_ACCOUNT' };
  return { action: mayVouch ? 'sign-up-verified' : 'sign-up-unverified' };
};

/** Decides the result of a sign-in with a provider. SECURITY.md has the table, which a test compares. */
export const decideLinking = (facts: LinkingFacts): LinkingDecision => {
  const { identity, account } = facts;
  if (identity === 'of-other-kind') return { rejection: 'EMAIL_TAKEN' };
  if (identity === 'of-kind') return findObstacle(facts) ?? { action: 'sign-in' };
  if (!facts.isVerifiedThere) return { rejection: 'OIDC_EMAIL_UNVERIFIED' };
  if (account === 'none') return decideSignUp(facts);
  if (account === 'of-other-kind') return { rejection: 'EMAIL_TAKEN' };
  if (!facts.mayVouch) return { rejection: 'ACCOUNT_EXISTS' };
  return findObstacle(facts) ?? { action: facts.isVerifiedHere ? 'link' : 'take-over' };
};

/** The provider has verified the e-mail, so the user learns nothing new. */
export const accountExists = ({ email }: Pick<ProviderClaims, 'email'>) =>
  conflict('ACCOUNT_EXISTS', 'An account has this e-mail; sign in to it, then link the identity', { email });
export const accountMissing = () => forbidden('OIDC_NO_ACCOUNT', 'There is no account for this identity');
export const emailUnverified = () =>
  forbidden('OIDC_EMAIL_UNVERIFIED', 'The provider has not verified the e-mail of this identity');
export const providerNotAllowed = () =>
  forbidden('PROVIDER_NOT_ALLOWED', 'This provider may not sign in users with a platform role');

/** A user with a platform role is an administrator in every kind of session. */
export const isProviderAllowed = ({ kinds }: { kinds: readonly Kind[] }, roles: readonly string[]): boolean =>
  kinds.includes('administrator') || !roles.some(isPlatformRole);

/** Whether the provider may vouch for the domain of the e-mail. Subdomains do not match. */
export const mayVouch = ({ domains }: { domains: readonly string[] }, email: string): boolean =>
  domains.includes('*') || domains.includes(email.slice(email.lastIndexOf('@') + 1));

/** Every user is found as an administrator, but a user with another kind and no platform role is not one. */
const toRelation = (kind: Kind, { userId, account }: Found): Relation => {
  if (userId === undefined) return 'none';
  const isOfKind =
    account &&
    (!KIND_CONFIGS[kind].hasPlatformRole || account.roles.length === 0 || findPlatformRole(account.roles));
  return isOfKind ? 'of-kind' : 'of-other-kind';
};

export const toFacts = ({ kind, provider, claims }: ConfirmedSignIn, found: Found): LinkingFacts => {
  const { identity, account } = found;
  const relation = toRelation(kind, found);
  return {
    kind,
    identity: identity ? relation : 'none',
    account: identity ? 'none' : relation,
    isVerifiedThere: claims.email !== null && claims.isEmailVerified,
    isVerifiedHere: account?.isEmailVerified ?? false,
    mayVouch: claims.email !== null && mayVouch(provider, claims.email),
    isBlocked: account?.isBlocked ?? false,
    hasRole: findPlatformRole(account?.roles ?? []) !== undefined,
    isProviderAllowed: isProviderAllowed(provider, account?.roles ?? []),
    allowsSignUp: provider.allowsSignUp,
  };
};
