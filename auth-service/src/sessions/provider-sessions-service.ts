import type { RequestContext } from '@platform/shared/http/request-context';
import type { InTransaction, Stores } from '../stores.ts';
import type { ProviderLogoutStore } from './provider-logouts-store.ts';
import type { ProviderSession, SignedIn } from './session.ts';

type Dependencies = { stores: Stores; inTransaction: InTransaction; logouts: ProviderLogoutStore };

/** A sign-out at a provider, either of its session or of all sessions of the subject. */
type ProviderLogout = Omit<ProviderSession, 'subject' | 'authenticatedAt'> & {
  subject: string | undefined;
  provider: string;
};

/** Sessions that were opened by a sign-in with an OpenID Connect provider. */
export const createProviderSessionService = ({ stores, inTransaction, logouts }: Dependencies) => ({
  /**
   * Ends the sessions, of every kind, that belong to the provider's session, or else to the subject.
   * @throws AppError 503
   */
  end: async (logout: ProviderLogout, { requestId, address }: RequestContext): Promise<void> => {
    const { provider, issuer, sessionId, subject } = logout;
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
  },

  /**
   * Called after a sign-in has opened its session. Ends the session if the provider has ended its own
   * meanwhile. Returns whether the session is still open.
   * @throws AppError 503
   */
  keepIfOpen: async (provider: ProviderSession, { account, session }: SignedIn): Promise<boolean> => {
    let isOpen = false;
    try {
      isOpen = !(await logouts.hasEnded(provider));
    } finally {
      if (!isOpen) await stores.sessions.removeTokensOfSession(account.userId, session.id);
    }
    return isOpen;
  },
});

export type ProviderSessionService = ReturnType<typeof createProviderSessionService>;
