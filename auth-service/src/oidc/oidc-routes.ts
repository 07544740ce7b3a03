import type { AuthOperations } from '../authentication/operations.ts';
import type { AuthorizationService } from './authorization-service.ts';
import type { BackchannelLogoutService } from './backchannel-logout-service.ts';

export const oidcRoutes = (
  authorizations: AuthorizationService,
  backchannelLogouts: BackchannelLogoutService,
) =>
  ({
    oidcProviders: ({ kind }) => ({ status: 200, body: { data: authorizations.list(kind) } }),

    oidcAuthorize: async ({ kind, path, headers, body, context }) => {
      const provider = authorizations.getProvider(kind, path.provider);
      authorizations.requireRedirectUri(provider, body.redirectUri);
      const requester = { purpose: 'sign-in', kind, owner: headers['X-Fingerprint'] } as const;
      return { status: 200, body: await authorizations.start(provider, requester, body, context) };
    },

    oidcBackchannelLogout: async ({ path, body, context }) => {
      await backchannelLogouts.logOut(path.provider, body.logout_token, context);
      return { status: 200 };
    },
  }) satisfies Partial<AuthOperations>;
