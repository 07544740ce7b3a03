import { type Caller, getPlatformRole, type PlatformRole } from './workspace.ts';

export type Me = Caller & { platformRole: PlatformRole };

export const createWorkspaceService = () => ({
  /** The caller with the role that is stored now, whatever the token claims. @throws AppError 403 PLATFORM_ROLE_INVALID */
  getMe: (caller: Caller): Me => ({ ...caller, platformRole: getPlatformRole(caller) }),
});

export type WorkspaceService = ReturnType<typeof createWorkspaceService>;
