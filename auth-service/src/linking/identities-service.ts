import { tokenInvalid } from '@platform/shared/errors/app-error';
import { type ConfirmingCaller, requireVerifiedEmail } from '../accounts/account.ts';
import type { ConfirmCaller } from '../confirm-caller.ts';
import type { AccountChanges } from '../endings/endings-service.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { AuthorizationService } from '../oidc/authorization-service.ts';
import {
  type Identity,
  identityNotFound,
  identityTaken,
  isProviderAllowed,
  type ProviderClaims,
  providerNotAllowed,
} from '../oidc/oidc.ts';
import type { Confirmation } from '../second-factor/confirmation.ts';
import type { Stores } from '../stores.ts';

type Dependencies = Pick<Infrastructure, 'config' | 'stores' | 'inTransaction'> & {
  authorization: AuthorizationService;
  changes: AccountChanges;
  confirmCaller: ConfirmCaller;
};

const toBinding = ({ kind, tokenId }: ConfirmingCaller, provider: string) =>
  ({ purpose: 'link', kind, provider, owner: tokenId }) as const;

/** Lists and changes the identities of the signed-in user. */
export const createIdentityListService = (dependencies: Dependencies) => {
  const { config, stores, inTransaction, authorization, changes, confirmCaller } = dependencies;

  /** Requires a transaction. */
  const addIdentity = async (
    own: Stores,
    caller: ConfirmingCaller,
    provider: { id: string; name: string },
    { issuer, subject, email }: ProviderClaims,
  ): Promise<Identity> => {
    const { userId } = caller.account;
    requireVerifiedEmail(await own.accounts.lock(userId));
    // The session was ended during the request to the provider, for example by a password change.
    if (!(await own.tokenRecords.exists(caller.tokenId))) throw tokenInvalid();
    const existing = await own.identities.findByKey({ issuer, subject });
    if (existing) {
      const { userId: owner, ...identity } = existing;
      if (owner !== userId) throw identityTaken();
      return identity;
    }
    const created = await own.identities.create(userId, {
      provider: provider.id,
      issuer,
      subject,
      email,
      isUsed: false,
    });
    await own.sessions.removeTokensOfUser(userId, caller.tokenId);
    await changes.recordIdentityChange(own, caller, 'IDENTITY_LINKED', provider);
    return created;
  };

  return {
    list: async (userId: string) => ({
      data: await stores.identities.listByUser(userId),
      hasPassword: typeof (await stores.accounts.findPasswordHash(userId)) === 'string',
    }),

    /**
     * @throws AppError 400 VALIDATION_FAILED; 403 EMAIL_NOT_VERIFIED, PROVIDER_NOT_ALLOWED; 404
     * PROVIDER_NOT_FOUND; 503; and the errors of confirmCaller
     */
    startLink: async (
      caller: ConfirmingCaller,
      { provider, redirectUri }: { provider: string; redirectUri: string },
      confirmation: Confirmation,
    ) => {
      const { provider: settings } = authorization.getProvider(caller.kind, provider);
      // A role that is assigned before the link is complete ends the session.
      if (!isProviderAllowed(settings, caller.account.roles)) throw providerNotAllowed();
      authorization.requireRedirectUri(redirectUri);
      requireVerifiedEmail(caller.account);
      const inConfirmedTransaction = await confirmCaller(caller, confirmation, 'never');
      await inConfirmedTransaction(async () => undefined);
      return await authorization.start(toBinding(caller, provider), { redirectUri }, caller.context);
    },

    /**
     * Ends the user's other sessions. Returns an identity unchanged if the user already has it.
     * @throws AppError 401 OIDC_STATE_INVALID, OIDC_DENIED, OIDC_RESPONSE_INVALID, TOKEN_INVALID; 403
     * EMAIL_NOT_VERIFIED; 404 PROVIDER_NOT_FOUND; 409 IDENTITY_TAKEN; 429 RATE_LIMITED; 503
     */
    completeLink: async (
      caller: ConfirmingCaller,
      provider: string,
      callbackUrl: string,
    ): Promise<Identity> => {
      const { provider: settings } = authorization.getProvider(caller.kind, provider);
      requireVerifiedEmail(caller.account);
      const claims = await authorization.finish(toBinding(caller, provider), callbackUrl, caller.context);
      return await inTransaction((own) => addIdentity(own, caller, settings, claims));
    },

    /**
     * Ends the user's other sessions.
     * @throws AppError 404 IDENTITY_NOT_FOUND, 409 LAST_SIGN_IN_METHOD, 429 RATE_LIMITED; and the errors of
     * confirmCaller
     */
    unlink: async (caller: ConfirmingCaller, id: string, confirmation: Confirmation): Promise<void> => {
      const { userId } = caller.account;
      const inConfirmedTransaction = await confirmCaller(caller, confirmation, 'never');
      await inConfirmedTransaction(async (own) => {
        const provider = await own.identities.remove(userId, id);
        if (provider === undefined) throw identityNotFound();
        await changes.requireSignInMethod(own, userId);
        // Invalidates sign-ins with the identity that wait for a second factor.
        await own.secondFactor.raiseVersion(userId);
        await own.sessions.removeTokensOfUser(userId, caller.tokenId);
        const { name } = config.oidc.providers.find((each) => each.id === provider) ?? { name: provider };
        await changes.recordIdentityChange(own, caller, 'IDENTITY_UNLINKED', { id: provider, name });
      });
    },
  };
};

export type IdentityListService = ReturnType<typeof createIdentityListService>;
