import type { Language } from '@platform/shared/http/language';
import type { RequestContext } from '@platform/shared/http/request-context';
import { findPlatformRole } from '@platform/shared/platform/access/platform-role';
import {
  type AccountWithPassword,
  requireDomainOfKind,
  toAccountAudit,
  toOwnAudit,
} from '../accounts/account.ts';
import type { AccountChanges } from '../accounts/account-changes-service.ts';
import type { AccountService } from '../accounts/accounts-service.ts';
import type { Infrastructure } from '../infrastructure.ts';
import { KIND_CONFIGS, type Kind, type ProfileKind } from '../kinds.ts';
import type { OidcProvider } from '../oidc-settings.ts';
import type { CommitLink } from '../sessions/second-step-service.ts';
import { challengeInvalid } from '../sessions/session.ts';
import type { Stores } from '../stores.ts';
import {
  decideLinking,
  type LinkingAction,
  type LinkingFacts,
  type LinkingRefusal,
  type Relation,
} from './linking.ts';
import {
  type Identity,
  identityNotFound,
  isProviderAllowed,
  mayVouch,
  noAccount,
  type ProviderClaims,
  toMethod,
} from './oidc.ts';

type Dependencies = Pick<Infrastructure, 'config'> & { accounts: AccountService; changes: AccountChanges };

/** A sign-in whose identity a provider has confirmed. */
export type ConfirmedSignIn = {
  kind: Kind;
  provider: OidcProvider;
  claims: ProviderClaims;
  /** The language of mails to a new account. */
  language: Language;
  context: RequestContext;
};

/**
 * The account that the identity signs in to. Otherwise the reason why not, and the user it would have
 * reached.
 */
type LinkingResult =
  | { account: AccountWithPassword; isFactorDue: boolean }
  | { refusal: LinkingRefusal; userId: string | undefined };

/** `account` is undefined for a user who has no account of the kind. */
type Found = {
  identity: Identity | undefined;
  userId: string | undefined;
  account: AccountWithPassword | undefined;
};

const isProfileKind = (kind: Kind): kind is ProfileKind => KIND_CONFIGS[kind].profile !== undefined;

/** Finds and locks the user with the identity, or otherwise with the e-mail. */
const findUser = async (stores: Stores, { kind, claims }: ConfirmedSignIn): Promise<Found> => {
  const identity = await stores.identities.findByKey(claims);
  if (identity && !(await stores.accounts.lock(identity.userId))) throw identityNotFound();
  // Ignore an e-mail that the provider has not verified, because it may be another person's.
  const email = !identity && claims.isEmailVerified ? claims.email : null;
  const byEmail = email === null ? undefined : await stores.accounts.lockByEmail(email);
  const userId = identity?.userId ?? byEmail?.id;
  const account = userId === undefined ? undefined : await stores.accounts.findById(kind, userId);
  return { identity, userId, account };
};

/** Every user is found as an administrator, but a user with another kind and no platform role is not one. */
const toRelation = (kind: Kind, { userId, account }: Found): Relation => {
  if (userId === undefined) return 'none';
  const isOfKind =
    account &&
    (!KIND_CONFIGS[kind].hasPlatformRole || account.roles.length === 0 || findPlatformRole(account.roles));
  return isOfKind ? 'of-kind' : 'of-other-kind';
};

const toFacts = ({ kind, provider, claims }: ConfirmedSignIn, found: Found): LinkingFacts => {
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

/** Finds the account that a confirmed identity signs in to. */
export const createLinkingService = ({ config, accounts, changes }: Dependencies) => {
  const addIdentity = async (stores: Stores, { provider, claims }: ConfirmedSignIn, userId: string) => {
    const { issuer, subject, email } = claims;
    return await stores.identities.create(userId, {
      provider: provider.id,
      issuer,
      subject,
      email,
      isUsed: true,
    });
  };

  const signUp = async (
    stores: Stores,
    confirmed: ConfirmedSignIn,
    { isVerified }: { isVerified: boolean },
  ) => {
    const { kind, claims, language, context, provider } = confirmed;
    // decideLinking has already rejected this case.
    if (!isProfileKind(kind)) throw noAccount();
    const { email, firstName, lastName } = claims;
    const user = { email: email ?? '', passwordHash: null, language };
    const origin = { context, isEmailVerified: isVerified };
    const { userId } = await accounts.create(stores, kind, user, { firstName, lastName }, origin);
    await addIdentity(stores, confirmed, userId);
    const record = toAccountAudit('IDENTITY_LINKED', { kind, userId }, context, { provider: provider.id });
    await stores.audit.add({ ...record, actorId: userId });
    return userId;
  };

  const link = async (stores: Stores, confirmed: ConfirmedSignIn, account: AccountWithPassword) => {
    await addIdentity(stores, confirmed, account.userId);
    await changes.recordIdentityChange(
      stores,
      { ...confirmed, account },
      'IDENTITY_LINKED',
      confirmed.provider,
    );
  };

  /**
   * Carries out the decision and returns the user. @throws AppError 409 EMAIL_TAKEN, IDENTITY_TAKEN; 404
   * IDENTITY_NOT_FOUND; 429 RATE_LIMITED
   */
  const apply = async (
    stores: Stores,
    confirmed: ConfirmedSignIn,
    action: LinkingAction,
    { identity, account }: Found,
  ): Promise<string> => {
    if (action === 'sign-up-verified') return await signUp(stores, confirmed, { isVerified: true });
    if (action === 'sign-up-unverified') return await signUp(stores, confirmed, { isVerified: false });
    if (!account) throw identityNotFound();
    if (action === 'sign-in') {
      const { provider, claims } = confirmed;
      const use = { provider: provider.id, email: claims.email };
      if (!identity || !(await stores.identities.recordUse(identity.id, use))) throw identityNotFound();
      return account.userId;
    }
    if (action === 'take-over')
      await changes.proveEmail(stores, { ...confirmed, account, removesPassword: true });
    await link(stores, confirmed, { ...account, isEmailVerified: true });
    return account.userId;
  };

  const service = {
    /**
     * Requires a transaction, and locks the user. Without `hasSecondFactor`, does not change an account that
     * has a factor.
     * @throws AppError 403 DOMAIN_NOT_ALLOWED, 429 RATE_LIMITED. A concurrent change causes 404
     * IDENTITY_NOT_FOUND, 409 IDENTITY_TAKEN or 409 EMAIL_TAKEN; a second attempt then finds its result.
     */
    resolve: async (
      stores: Stores,
      confirmed: ConfirmedSignIn,
      hasSecondFactor: boolean,
    ): Promise<LinkingResult> => {
      const { kind, claims, provider, context } = confirmed;
      const found = await findUser(stores, confirmed);
      const facts = toFacts(confirmed, found);
      const email = found.identity ? found.account?.email : facts.isVerifiedThere && claims.email;
      if (email) requireDomainOfKind(kind, email, config.adminAllowedDomains);
      const decision = decideLinking(facts);
      if ('refusal' in decision) return { refusal: decision.refusal, userId: found.userId };
      // The proof of an unverified address deletes the account's factors.
      const isFactorDue = decision.action !== 'take-over' && !hasSecondFactor;
      if (isFactorDue && found.account && found.account.factors.length > 0)
        return { account: found.account, isFactorDue };
      const userId = await apply(stores, confirmed, decision.action, found);
      const account = await stores.accounts.findById(kind, userId);
      if (!account) throw identityNotFound();
      await stores.audit.add(
        toOwnAudit('IDENTITY_USED', { kind, account, context }, { provider: provider.id }),
      );
      return { account, isFactorDue: false };
    },

    commit: (async (stores, { kind, account, context }, { method, provider: identity }) => {
      if (!identity) return;
      const provider = config.oidc.providers.find((each) => toMethod(each) === method);
      if (!provider) throw challengeInvalid();
      const names = { firstName: undefined, lastName: undefined };
      const claims = { ...identity, ...names, authenticatedAt: undefined, hasSecondFactor: true };
      const confirmed = { kind, provider, claims, language: account.language, context };
      const result = await service.resolve(stores, confirmed, true);
      if ('refusal' in result || result.account.userId !== account.userId) throw challengeInvalid();
    }) satisfies CommitLink,
  };
  return service;
};

export type LinkingService = ReturnType<typeof createLinkingService>;
