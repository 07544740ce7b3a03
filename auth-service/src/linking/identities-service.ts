import { tokenInvalid } from '@platform/shared/errors/app-error';
import { requireVerifiedEmail } from '@platform/shared/platform/accounts/account';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import { toPreparationOwner } from '../accounts/account-state.ts';
import type { AccountStore } from '../accounts/accounts-store.ts';
import { type OfferedMethods, requireSignInMethod } from '../accounts/sign-in-method.ts';
import type { ConfirmingCaller } from '../authentication/callers.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { AuthorizationService } from '../oidc/authorization-service.ts';
import type { IdentityStore } from '../oidc/identities-store.ts';
import {
  type Identity,
  identityNotFound,
  identityTaken,
  type ProviderClaims,
  stateInvalid,
} from '../oidc/oidc.ts';
import type { OidcProvider } from '../oidc/oidc-settings.ts';
import type { Confirmation } from '../second-factor/confirmation.ts';
import type { ConfirmationService } from '../second-factor/confirmation-service.ts';
import type { SecondFactorStore } from '../second-factor/second-factor-store.ts';
import type { SessionStore } from '../sessions/sessions-store.ts';
import type { TokenRecordStore } from '../sessions/token-records-store.ts';
import type { PasskeyStore } from '../webauthn/passkeys-store.ts';
import type { IdentityChangeService } from './identity-changes-service.ts';
import { isProviderAllowed, providerNotAllowed } from './linking.ts';

export type OwnIdentityStores = {
  accounts: AccountStore;
  sessions: SessionStore;
  tokenRecords: TokenRecordStore;
  secondFactor: SecondFactorStore;
  passkeys: PasskeyStore;
  identities: IdentityStore;
  outbox: MailOutbox;
  audit: AuditLog;
};

type Dependencies = {
  config: Pick<OfferedMethods, 'webauthn'> & { oidc: { providers: readonly OidcProvider[] } };
  stores: Pick<OwnIdentityStores, 'accounts' | 'identities'>;
  inTransaction: InTransaction<OwnIdentityStores>;
  authorizations: AuthorizationService;
  identityChanges: IdentityChangeService;
  confirmations: ConfirmationService;
};

const toRequester = ({ kind }: ConfirmingCaller, owner: string) =>
  ({ purpose: 'link', kind, owner }) as const;

/** Lists and changes the identities of the signed-in user. */
export const createIdentityListService = (dependencies: Dependencies) => {
  const { config, stores, inTransaction } = dependencies;
  const { authorizations, identityChanges, confirmations } = dependencies;

  /** Requires a transaction. */
  const addIdentity = async (
    own: OwnIdentityStores,
    caller: ConfirmingCaller,
    owner: string,
    provider: { id: string; name: string },
    { issuer, subject, email }: ProviderClaims,
  ): Promise<Identity> => {
    const { userId } = caller.account;
    const user = await own.accounts.lock(userId);
    requireVerifiedEmail(user);
    // The session was ended during the request to the provider, for example by a password change.
    if (!(await own.tokenRecords.exists(caller.tokenId))) throw tokenInvalid();
    if (toPreparationOwner(caller.tokenId, user) !== owner) throw stateInvalid();
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
    await identityChanges.recordIdentityChange(own, caller, 'IDENTITY_LINKED', provider);
    return created;
  };

  return {
    list: async (userId: string) => ({
      data: await stores.identities.listByUser(userId),
      hasPassword: typeof (await stores.accounts.findPasswordHash(userId)) === 'string',
    }),

    /**
     * @throws AppError 400 VALIDATION_FAILED; 403 EMAIL_NOT_VERIFIED, PROVIDER_NOT_ALLOWED; 404
     * PROVIDER_NOT_FOUND; 503; and the errors of inConfirmedTransaction
     */
    startLink: async (
      caller: ConfirmingCaller,
      { provider, redirectUri }: { provider: string; redirectUri: string },
      confirmation: Confirmation,
    ) => {
      const configured = authorizations.getProvider(caller.kind, provider);
      // A role that is assigned before the link is complete ends the session.
      if (!isProviderAllowed(configured.provider, caller.account.roles)) throw providerNotAllowed();
      authorizations.requireRedirectUri(configured, redirectUri);
      requireVerifiedEmail(caller.account);
      const prepare = async (own: OwnIdentityStores) =>
        toPreparationOwner(caller.tokenId, await own.accounts.lock(caller.account.userId));
      const confirmed = [inTransaction, caller, confirmation, 'never', prepare] as const;
      const owner = await confirmations.inConfirmedTransaction(...confirmed);
      const requester = toRequester(caller, owner);
      return await authorizations.start(configured, requester, { redirectUri }, caller.context);
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
      const configured = authorizations.getProvider(caller.kind, provider);
      const { kind, account, tokenId } = caller;
      requireVerifiedEmail(account);
      const owner = toPreparationOwner(tokenId, await stores.accounts.findById(kind, account.userId));
      const { claims } = await authorizations.finish(
        configured,
        toRequester(caller, owner),
        callbackUrl,
        caller.context,
      );
      return await inTransaction((own) => addIdentity(own, caller, owner, configured.provider, claims));
    },

    /**
     * Ends the user's other sessions.
     * @throws AppError 404 IDENTITY_NOT_FOUND, 409 LAST_SIGN_IN_METHOD, 429 RATE_LIMITED; and the errors of
     * inConfirmedTransaction
     */
    unlink: (caller: ConfirmingCaller, id: string, confirmation: Confirmation): Promise<void> => {
      const { userId } = caller.account;
      const change = async (own: OwnIdentityStores) => {
        const provider = await own.identities.remove(userId, id);
        if (provider === undefined) throw identityNotFound();
        const left = await own.accounts.findSignInMethods(userId);
        requireSignInMethod(left, caller.account.roles, config);
        // Invalidates sign-ins with the identity that wait for a second factor.
        await own.secondFactor.raiseVersion(userId);
        await own.sessions.removeTokensOfUser(userId, caller.tokenId);
        const { name } = config.oidc.providers.find((each) => each.id === provider) ?? { name: provider };
        await identityChanges.recordIdentityChange(own, caller, 'IDENTITY_UNLINKED', { id: provider, name });
      };
      return confirmations.inConfirmedTransaction(inTransaction, caller, confirmation, 'never', change);
    },
  };
};

export type IdentityListService = ReturnType<typeof createIdentityListService>;
