import type { RequestContext } from '@platform/shared/http/request-context';
import type { ProviderSessionService } from '../sessions/provider-sessions-service.ts';
import type { ConfiguredProvider } from './authorization-service.ts';
import type { UsedLogoutTokenStore } from './authorizations-store.ts';
import { logoutTokenInvalid, providerNotFound } from './oidc.ts';

type Dependencies = {
  providers: ReadonlyMap<string, ConfiguredProvider>;
  usedTokens: UsedLogoutTokenStore;
  providerSessions: ProviderSessionService;
};

export const createBackchannelLogoutService = ({
  providers,
  usedTokens,
  providerSessions,
}: Dependencies) => ({
  /** @throws AppError 400 VALIDATION_FAILED for an invalid or repeated token, 404 PROVIDER_NOT_FOUND, 503 */
  logOut: async (id: string, token: string, context: RequestContext): Promise<void> => {
    const found = providers.get(id);
    if (!found) throw providerNotFound();
    const logout = await found.client.verifyLogoutToken(token, context);
    if (await usedTokens.has(logout)) throw logoutTokenInvalid();
    await providerSessions.end({ ...logout, provider: id }, context);
    // Marks the token as used last: if the process ends before, the provider's next attempt ends the
    // sessions.
    if (!(await usedTokens.add(logout))) throw logoutTokenInvalid();
  },
});

export type BackchannelLogoutService = ReturnType<typeof createBackchannelLogoutService>;
