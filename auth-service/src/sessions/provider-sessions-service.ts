import type { RequestContext } from '@platform/shared/access/request-context';
import type { InTransaction, Stores } from '../stores.ts';
import type { ProviderLogoutStore } from './provider-logouts-store.ts';
import type { ProviderSession, SignedIn } from './session.ts';

type Dependencies = { stores: Stores; inTransaction: InTransaction; logouts: ProviderLogoutStore };

/** A sign-out at a provider: of its session, or of all sessions of the subject. */
type ProviderLogout = Omit<ProviderSession, 'subject' | 'authenticatedAt'> & {
  subject: string | undefined;
  provider: string;
};

/** The sessions that providers of OpenID Connect have opened. */
export const createProviderSessionService = ({ stores, inTransaction, logouts }: Dependencies) => ({
  /**
   * Ends the sessions that the provider has opened for its session, or else for the subject, of every kind.
   * @throws AppError 503
   */
  end: async (logout: ProviderLogout, { requestId, address }: RequestContext): Promise<void> => {
    const { provider, issuer, sessionId, subject } = logout;
    // First, so that a sign-in that has not opened its session yet finds it: keepIfOpen.
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
   * After a sign-in has opened its session: ends it if the provider has ended its own meanwhile. Whether it
   * is still open.
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
