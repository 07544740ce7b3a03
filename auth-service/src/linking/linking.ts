import { KIND_CONFIGS, type Kind } from '../kinds.ts';

/** How a user relates to the kind of account that somebody signs in to. */
export type Relation = 'none' | 'of-kind' | 'of-other-kind';

/** The known facts after a provider has confirmed an identity and its e-mail. */
export type LinkingFacts = {
  kind: Kind;
  /** The user of the identity. */
  identity: Relation;
  /** The user with the e-mail; irrelevant for a known identity. */
  account: Relation;
  /** Whether the provider has verified the e-mail. */
  isVerifiedThere: boolean;
  /** Whether the account with the e-mail has verified it. */
  isVerifiedHere: boolean;
  /** Whether the provider may vouch for the domain of the e-mail. */
  mayVouch: boolean;
  isBlocked: boolean;
  /** Whether the user has exactly one platform role. */
  hasRole: boolean;
  /**
   * False if the user has a platform role that the provider is not for. Such a user is an administrator in
   * every kind of session.
   */
  isProviderAllowed: boolean;
  /** Whether the provider creates accounts. */
  allowsSignUp: boolean;
};

export type LinkingRefusal =
  | 'USER_BLOCKED'
  | 'PROVIDER_NOT_ALLOWED'
  | 'PLATFORM_ROLE_INVALID'
  | 'OIDC_EMAIL_UNVERIFIED'
  | 'OIDC_NO_ACCOUNT'
  | 'EMAIL_TAKEN'
  | 'ACCOUNT_EXISTS';

export type LinkingAction = 'sign-in' | 'sign-up-verified' | 'sign-up-unverified' | 'link' | 'take-over';

type LinkingDecision = { action: LinkingAction } | { refusal: LinkingRefusal };

/** The reason to reject a user of the kind, if there is one. */
const findObstacle = (facts: LinkingFacts): LinkingDecision | undefined => {
  const { kind, isBlocked, isProviderAllowed, hasRole } = facts;
  if (isBlocked) return { refusal: 'USER_BLOCKED' };
  if (!isProviderAllowed) return { refusal: 'PROVIDER_NOT_ALLOWED' };
  return KIND_CONFIGS[kind].hasPlatformRole && !hasRole ? { refusal: 'PLATFORM_ROLE_INVALID' } : undefined;
};

const decideSignUp = ({ kind, allowsSignUp, mayVouch }: LinkingFacts): LinkingDecision => {
  if (!allowsSignUp || KIND_CONFIGS[kind].hasPlatformRole) return { refusal: 'OIDC_NO_ACCOUNT' };
  return { action: mayVouch ? 'sign-up-verified' : 'sign-up-unverified' };
};

/** Decides the result of a sign-in with a provider. SECURITY.md has the table, which a test compares. */
export const decideLinking = (facts: LinkingFacts): LinkingDecision => {
  const { identity, account } = facts;
  if (identity === 'of-other-kind') return { refusal: 'EMAIL_TAKEN' };
  if (identity === 'of-kind') return findObstacle(facts) ?? { action: 'sign-in' };
  if (!facts.isVerifiedThere) return { refusal: 'OIDC_EMAIL_UNVERIFIED' };
  if (account === 'none') return decideSignUp(facts);
  if (account === 'of-other-kind') return { refusal: 'EMAIL_TAKEN' };
  if (!facts.mayVouch) return { refusal: 'ACCOUNT_EXISTS' };
  return findObstacle(facts) ?? { action: facts.isVerifiedHere ? 'link' : 'take-over' };
};
