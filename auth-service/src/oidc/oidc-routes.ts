import { toConfirmation } from '../accounts/confirmation.ts';
import type { Kind } from '../kinds.ts';
import type { AuthOperations, KindOperations, KindRequest } from '../operations.ts';
import type { RefreshCookie } from '../sessions/session.ts';
import { toSignInResponse } from '../sessions/session-mapper.ts';
import type { AuthorizationService } from './authorization-service.ts';
import type { BackchannelLogoutService } from './backchannel-logout-service.ts';
import type { IdentityListService } from './identities-service.ts';
import type { ProviderSignInService } from './provider-sign-in-service.ts';

type SignInServices = {
  authorization: AuthorizationService;
  signIn: ProviderSignInService;
  refreshCookie: RefreshCookie;
};

/** The bodies differ by kind, so compose.ts compares them with the document. */
export const providerSignInRoutes = <K extends Kind>(
  kind: K,
  { authorization, signIn, refreshCookie }: SignInServices,
) => ({
  oidcProviders: () => ({ status: 200 as const, body: { data: authorization.list(kind) } }),

  oidcAuthorize: async ({ path, headers, body, context }: KindRequest<'oidcAuthorize'>) => {
    const { provider } = path;
    authorization.getProvider(kind, provider);
    authorization.requireRedirectUri(body.redirectUri);
    const binding = { purpose: 'sign-in', kind, provider, owner: headers['X-Fingerprint'] } as const;
    return { status: 200 as const, body: await authorization.start(binding, body, context) };
  },

  oidcSignIn: async ({ path, headers, body, context, language }: KindRequest<'oidcSignIn'>) => {
    const device = { fingerprint: headers['X-Fingerprint'], context };
    const signedIn = await signIn.signIn(kind, { ...path, ...body, language }, device);
    return toSignInResponse(kind, signedIn, refreshCookie);
  },
});

export const identityRoutes = (identities: IdentityListService) =>
  ({
    identities: async ({ caller }) => ({ status: 200, body: await identities.list(caller.account.userId) }),

    identityAuthorize: async ({ caller, path, body }) => ({
      status: 200,
      body: await identities.startLink(caller, { ...path, ...body }, toConfirmation(body)),
    }),

    identityLink: async ({ caller, path: { identity: provider }, body }) => ({
      status: 201,
      body: await identities.completeLink(caller, provider, body.callbackUrl),
    }),

    identityUnlink: async ({ caller, path: { identity: id }, body }) => {
      await identities.unlink(caller, id, toConfirmation(body));
      return { status: 204 };
    },
  }) satisfies Partial<KindOperations>;

export const backchannelLogoutRoutes = (logouts: BackchannelLogoutService) =>
  ({
    oidcBackchannelLogout: async ({ path, body, context }) => {
      await logouts.logOut(path.provider, body.logout_token, context);
      return { status: 200 };
    },
  }) satisfies Partial<AuthOperations>;
