import type { AuthOperations } from '../authentication/operations.ts';
import type { IdentityListService } from '../linking/identities-service.ts';
import { toConfirmation } from '../second-factor/confirmation.ts';
import type { RefreshCookie } from '../sessions/session.ts';
import { toSignInResponse } from '../sessions/session-mapper.ts';
import type { ProviderSignInService } from '../sign-in/provider-sign-in-service.ts';
import type { AuthorizationService } from './authorization-service.ts';
import type { BackchannelLogoutService } from './backchannel-logout-service.ts';

type SignInServices = {
  authorization: AuthorizationService;
  providerSignIn: ProviderSignInService;
  logouts: BackchannelLogoutService;
  refreshCookie: RefreshCookie;
};

export const providerSignInRoutes = ({
  authorization,
  providerSignIn,
  logouts,
  refreshCookie,
}: SignInServices) =>
  ({
    oidcProviders: ({ kind }) => ({ status: 200, body: { data: authorization.list(kind) } }),

    oidcAuthorize: async ({ kind, path, headers, body, context }) => {
      const { provider } = path;
      authorization.getProvider(kind, provider);
      authorization.requireRedirectUri(body.redirectUri);
      const binding = { purpose: 'sign-in', kind, provider, owner: headers['X-Fingerprint'] } as const;
      return { status: 200, body: await authorization.start(binding, body, context) };
    },

    oidcSignIn: async ({ kind, path, headers, body, context, language }) => {
      const device = { fingerprint: headers['X-Fingerprint'], context };
      const signedIn = await providerSignIn.completeSignIn(kind, { ...path, ...body, language }, device);
      return toSignInResponse(kind, signedIn, refreshCookie);
    },

    oidcBackchannelLogout: async ({ path, body, context }) => {
      await logouts.logOut(path.provider, body.logout_token, context);
      return { status: 200 };
    },
  }) satisfies Partial<AuthOperations>;

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
  }) satisfies Partial<AuthOperations>;
