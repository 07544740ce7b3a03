import type { components } from '@platform/openapi/types/admin';
import { getPlatformRole } from '@platform/shared/platform/access/platform-role';
import type { AdminCaller } from '../authentication/callers.ts';
import type { AdminOperations } from '../authentication/operations.ts';

type Schemas = components['schemas'];
type Names = 'operatorWorkspaceMe' | 'administratorWorkspaceMe' | 'arbiterWorkspaceMe';

/** Returns the stored platform role, not the one in the token. @throws AppError 403 PLATFORM_ROLE_INVALID */
const toWorkspaceMe = ({ account: { userId, email, roles } }: AdminCaller): Schemas['WorkspaceMe'] => ({
  userId,
  email,
  platformRole: getPlatformRole(roles),
});

export const workspaceRoutes = (): Pick<AdminOperations, Names> => ({
  operatorWorkspaceMe: ({ caller }) => ({ status: 200, body: toWorkspaceMe(caller) }),
  administratorWorkspaceMe: ({ caller }) => ({ status: 200, body: toWorkspaceMe(caller) }),
  arbiterWorkspaceMe: ({ caller }) => ({ status: 200, body: toWorkspaceMe(caller) }),
});
