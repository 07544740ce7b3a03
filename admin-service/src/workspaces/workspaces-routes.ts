import type { components } from '@platform/openapi/types/admin';
import type { AdminOperations } from '../operations.ts';
import type { Me, WorkspaceService } from './workspaces-service.ts';

type Schemas = components['schemas'];
type Names = 'operatorMe' | 'administratorMe' | 'arbiterMe' | 'currentAdministrator';

const toWorkspaceMe = ({ userId, email, platformRole }: Me): Schemas['WorkspaceMe'] => ({
  userId,
  email,
  platformRole,
});

export const workspaceRoutes = ({ getMe }: WorkspaceService): Pick<AdminOperations, Names> => ({
  operatorMe: ({ caller }) => ({ status: 200, body: toWorkspaceMe(getMe(caller)) }),
  administratorMe: ({ caller }) => ({ status: 200, body: toWorkspaceMe(getMe(caller)) }),
  arbiterMe: ({ caller }) => ({ status: 200, body: toWorkspaceMe(getMe(caller)) }),

  currentAdministrator: ({ caller }) => {
    const me = getMe(caller);
    return {
      status: 200,
      body: {
        id: me.userId,
        email: me.email,
        platformRole: me.platformRole,
        roles: me.roles,
        isBlocked: me.isBlocked,
        isEmailVerified: me.isEmailVerified,
        createdAt: me.createdAt.toISOString(),
        updatedAt: me.updatedAt.toISOString(),
      },
    };
  },
});
