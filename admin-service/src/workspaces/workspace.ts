import { forbidden } from '@platform/shared/errors/app-error';

export type PlatformRole = 'ADMIN' | 'OPERATOR' | 'ARBITER';
export type Role = PlatformRole | 'CUSTOMER' | 'EMPLOYEE';
const PLATFORM_ROLES: readonly string[] = ['ADMIN', 'OPERATOR', 'ARBITER'] satisfies PlatformRole[];

/** Who holds a registered access token: what is stored of the user now, and the role that the token claims. */
export type Caller = {
  userId: string;
  /** The record that the sign-in made; refreshes keep it. */
  tokenId: string;
  /** Null for a record without a session, which no sign-in makes. */
  sessionId: string | null;
  email: string;
  isBlocked: boolean;
  isEmailVerified: boolean;
  roles: Role[];
  createdAt: Date;
  updatedAt: Date;
  claimedRole: string | undefined;
};

/** The one platform role that is stored for the caller. @throws AppError 403 PLATFORM_ROLE_INVALID */
export const getPlatformRole = ({ roles }: Caller): PlatformRole => {
  const [role, ...others] = roles.filter((name) => PLATFORM_ROLES.includes(name));
  if (role === undefined || others.length > 0)
    throw forbidden('PLATFORM_ROLE_INVALID', 'The user does not hold exactly one platform role');
  return role as PlatformRole;
};

/**
 * The token must claim the workspace's role and the caller must still hold it: a role that was removed loses its power at
 * the next request, not when the token expires.
 * @throws AppError 403 WORKSPACE_FORBIDDEN, PLATFORM_ROLE_INVALID
 */
export const requireWorkspace = (caller: Caller, role: PlatformRole): void => {
  if (caller.claimedRole !== role || getPlatformRole(caller) !== role)
    throw forbidden('WORKSPACE_FORBIDDEN', 'This workspace is not open to your platform role');
};
