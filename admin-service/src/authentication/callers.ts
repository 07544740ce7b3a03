import type { RequestContext } from '@platform/shared/http/request-context';
import type { ByAdministrator } from '@platform/shared/platform/access/by';
import type { Caller, CallerAccount, SignInMethod } from '@platform/shared/platform/access/caller';
import {
  getPlatformRole,
  type PlatformRole,
  workspaceForbidden,
} from '@platform/shared/platform/access/platform-role';

/** The caller, with the platform role in the token. The session is null if the token record has none. */
export type AdminCaller = Caller<CallerAccount & { updatedAt: Date }> & {
  claimedRole: string | undefined;
  methods: SignInMethod[];
};

/** Every change by an ADMIN begins with this. */
export const toBy = ({ account, tokenId }: AdminCaller, context: RequestContext): ByAdministrator => ({
  administrator: { userId: account.userId, tokenId },
  context,
});

/**
 * The token must claim the role, and the caller must still have it. So removing a role takes effect at the
 * next request, not when the token expires.
 * @throws AppError 403 WORKSPACE_FORBIDDEN, PLATFORM_ROLE_INVALID
 */
export const requireWorkspace = ({ claimedRole, account }: AdminCaller, role: PlatformRole): void => {
  // Checks the stored role first, because after a refresh the token of a user whose role was removed claims
  // none.
  if (getPlatformRole(account.roles) !== role || claimedRole !== role) throw workspaceForbidden();
};
