import type { SignInMethod } from '@platform/shared/platform/access/caller';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { AccountWithPassword } from '../accounts/account.ts';
import { toAccountAudit, toOwnAudit } from '../accounts/account-audit.ts';
import type { AccountService } from '../accounts/accounts-service.ts';
import { requireDomainOfKind } from '../accounts/eligibility.ts';
import type { AuthCaller } from '../authentication/callers.ts';
import type { RemovedByProof } from '../endings/endings.ts';
import type { EndingService, EndingStores } from '../endings/endings-service.ts';
import { KIND_CONFIGS, type Kind, type ProfileKind } from '../kinds.ts';
import { type ConfirmedIdentity, identityNotFound, toMethod } from '../oidc/oidc.ts';
import type { OidcProvider } from '../oidc/oidc-settings.ts';
import type { ToSecondStep } from '../second-factor/second-factor.ts';
import type { IdentityChangeService } from './identity-changes-service.ts';
import {
  accountMissing,
  type ConfirmedSignIn,
  decideLinking,
  type Found,
  type LinkingAction,
  type LinkingRejection,
  toFacts,
} from './linking.ts';

type Stores = EndingStores & { audit: AuditLog };

type Dependencies = {
  config: { adminAllowedDomains: readonly string[]; oidc: { providers: readonly OidcProvider[] } };
  accounts: AccountService;
  endings: EndingService;
  identityChanges: IdentityChangeService;
  toSecondStep: ToSecondStep;
};

type Owner = Pick<AuthCaller, 'kind' | 'account' | 'context'>;

/**
 * The account that the identity signs in to. Otherwise the reason why not, and the user it would have
 * reached.
 */
type LinkingResult =
  | { account: AccountWithPassword; isFactorDue: boolean; removedByProof?: RemovedByProof[] | undefined }
  | { rejection: LinkingRejection; userId: string | undefined };

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

/** Finds the account that a confirmed identity signs in to. */
export const createLinkingService = (dependencies: Dependencies) => {
  const { config, accounts, endings, identityChanges, toSecondStep } = dependencies;
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
    const { kind, claims, preferences, context, provider } = confirmed;
    // decideLinking has already rejected this case.
    if (!isProfileKind(kind)) throw accountMissing();
    const { email, firstName, lastName } = claims;
    const user = { email: email ?? '', passwordHash: null, ...preferences };
    const origin = { context, isEmailVerified: isVerified };
    const { userId } = await accounts.create(stores, kind, user, { firstName, lastName }, origin);
    await addIdentity(stores, confirmed, userId);
    const record = toAccountAudit('IDENTITY_LINKED', { kind, userId }, context, { provider: provider.id });
    await stores.audit.add({ ...record, actorId: userId });
    return userId;
  };

  const link = async (stores: Stores, confirmed: ConfirmedSignIn, account: AccountWithPassword) => {
    await addIdentity(stores, confirmed, account.userId);
    const owner = { ...confirmed, account };
    await identityChanges.recordIdentityChange(stores, owner, 'IDENTITY_LINKED', confirmed.provider);
  };

  /**
   * Carries out the decision and returns the user, and what a first proof has removed. @throws AppError 409 EMAIL_TAKEN, IDENTITY_TAKEN; 404
   * IDENTITY_NOT_FOUND; 429 RATE_LIMITED
   */
  const apply = async (
    stores: Stores,
    confirmed: ConfirmedSignIn,
    action: LinkingAction,
    { identity, account }: Found,
  ): Promise<{ userId: string; removed?: RemovedByProof[] | undefined }> => {
    if (action === 'sign-up-verified')
      return { userId: await signUp(stores, confirmed, { isVerified: true }) };
    if (action === 'sign-up-unverified')
      return { userId: await signUp(stores, confirmed, { isVerified: false }) };
    if (!account) throw identityNotFound();
    if (action === 'sign-in') {
      const { provider, claims } = confirmed;
      const use = { provider: provider.id, email: claims.email };
      if (!identity || !(await stores.identities.recordUse(identity.id, use))) throw identityNotFound();
      return { userId: account.userId };
    }
    const proof =
      action === 'take-over' && (await endings.proveEmail(stores, { ...confirmed, account }, 'take-over'));
    await link(stores, confirmed, { ...account, isEmailVerified: true });
    return { userId: account.userId, ...(proof && { removed: proof.removed }) };
  };

  const service = {
    /**
     * Requires a transaction, and locks the user. Without `hasSecondFactor`, does not change an account
     * whose second step is due.
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
      if ('rejection' in decision) return { rejection: decision.rejection, userId: found.userId };
      // The proof of an unverified address deletes the account's factors.
      const isFactorDue = decision.action !== 'take-over' && !hasSecondFactor;
      if (isFactorDue && found.account && toSecondStep(found.account).dueFactors.length > 0)
        return { account: found.account, isFactorDue };
      const { userId, removed } = await apply(stores, confirmed, decision.action, found);
      const account = await stores.accounts.findById(kind, userId);
      if (!account) throw identityNotFound();
      await stores.audit.add(
        toOwnAudit('IDENTITY_USED', { kind, account, context }, { provider: provider.id }),
      );
      return { account, isFactorDue: false, removedByProof: removed };
    },

    /**
     * Resolves an identity again that waited for the second factor, which has just been proved. Nothing was
     * stored in the first step. Returns whether the identity still leads to the account.
     */
    commit: async (
      stores: Stores,
      { kind, account, context }: Owner,
      method: SignInMethod,
      identity: ConfirmedIdentity,
    ): Promise<boolean> => {
      // The settings may have changed since the first step.
      const provider = config.oidc.providers.find(
        (each) => toMethod(each) === method && each.kinds.includes(kind),
      );
      if (!provider) return false;
      const names = { firstName: undefined, lastName: undefined };
      const claims = { ...identity, ...names, authenticatedAt: undefined, hasSecondFactor: true };
      const confirmed = { kind, provider, claims, preferences: account, context };
      const result = await service.resolve(stores, confirmed, true);
      return 'account' in result && result.account.userId === account.userId;
    },
  };
  return service;
};

export type LinkingService = ReturnType<typeof createLinkingService>;
