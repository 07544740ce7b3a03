import type { RequestContext } from '@platform/shared/http/request-context';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { InTransaction } from '../infrastructure.ts';
import type { ProviderSession } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessions-store.ts';
import type { ConfiguredProvider } from './authorization-service.ts';
import type { ProviderLogoutStore, UsedLogoutTokenStore } from './logouts-store.ts';
import { type LogoutClaims, logoutTokenInvalid, providerNotFound } from './oidc.ts';

type Dependencies = {
  stores: { sessions: SessionStore };
  inTransaction: InTransaction<{ sessions: SessionStore; audit: AuditLog }>;
  providers: ReadonlyMap<string, ConfiguredProvider>;
  usedTokens: UsedLogoutTokenStore;
  logouts: ProviderLogoutStore;
};

/** Ends sessions that were opened by a sign-in with a provider, when they end at the provider. */
export const createBackchannelLogoutService = (dependencies: Dependencies) => {
  const { stores, inTransaction, providers, usedTokens, logouts } = dependencies;

  /** Ends the sessions, of every kind, that belong to the provider's session, or else to the subject. */
  const endSessions = async (
    provider: string,
    logout: LogoutClaims,
    { requestId, address }: RequestContext,
  ): Promise<void> => {
    const { issuer, sessionId, subject } = logout;
    // This comes first, so that `keepIfOpen` finds it for a sign-in that has not opened its session yet.
    await logouts.add(logout);
    await inTransaction(async ({ sessions, audit }) => {
      const by = sessionId === undefined ? { subject: subject ?? '' } : { sessionId };
      for (const targetId of await sessions.removeTokensOfProvider(issuer, by))
        await audit.add({
          requestId,
          address,
          action: 'PROVIDER_LOGOUT',
          targetType: 'USER',
          targetId,
          details: { provider },
        });
    });
  };

  return {
    /** @throws AppError 400 VALIDATION_FAILED for an invalid or repeated token, 404 PROVIDER_NOT_FOUND, 503 */
    logOut: async (id: string, token: string, context: RequestContext): Promise<void> => {
      const found = providers.get(id);
      if (!found) throw providerNotFound();
      const logout = await found.client.verifyLogoutToken(token, context);
      if (await usedTokens.has(logout)) throw logoutTokenInvalid();
      await endSessions(id, logout, context);
      // Marks the token as used at the end: if the process is killed before that, the provider's retry ends the
      // sessions.
      if (!(await usedTokens.add(logout))) throw logoutTokenInvalid();
    },

    /**
     * Called after a sign-in has opened its session. Deletes its tokens if the provider has ended its own
     * session meanwhile, but not those of a later sign-in on the device. Returns whether the provider's
     * session is still open.
     * @throws AppError 503
     */
    keepIfOpen: async (provider: ProviderSession, tokenId: string): Promise<boolean> => {
      let isOpen = false;
      try {
        isOpen = !(await logouts.hasEnded(provider));
      } finally {
        if (!isOpen) await stores.sessions.removeTokens(tokenId);
      }
      return isOpen;
    },
  };
};

export type BackchannelLogoutService = ReturnType<typeof createBackchannelLogoutService>;
