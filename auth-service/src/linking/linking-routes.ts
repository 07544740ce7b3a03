import type { AuthOperations } from '../authentication/operations.ts';
import { toConfirmation } from '../second-factor/confirmation.ts';
import type { IdentityListService } from './identities-service.ts';

export const linkingRoutes = (identities: IdentityListService) =>
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
