import type { Kind } from '../kinds.ts';
import type { AuthOperations, KindRequest } from '../operations.ts';
import type { Stores } from '../stores.ts';
import { identityNotFound, providerNotFound } from './oidc.ts';

const rejectProvider = (): never => {
  throw providerNotFound();
};
const rejectIdentity = (): never => {
  throw identityNotFound();
};

/** Without providers. */
export const identityRoutes = <K extends Kind>(_kind: K, stores: Stores) => ({
  oidcProviders: () => ({ status: 200 as const, body: { data: [] } }),
  oidcAuthorize: rejectProvider,
  oidcSignIn: rejectProvider,
  identities: async ({ caller }: KindRequest<'identities'>) => {
    const { userId } = caller.account;
    const hash = await stores.accounts.findPasswordHash(userId);
    const data = await stores.identities.listByUser(userId);
    return { status: 200 as const, body: { data, hasPassword: Boolean(hash) } };
  },
  identityAuthorize: rejectProvider,
  identityLink: rejectProvider,
  identityUnlink: rejectIdentity,
});

export const oidcRoutes = () => ({ oidcBackchannelLogout: rejectProvider }) satisfies Partial<AuthOperations>;
