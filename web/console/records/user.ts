import type { AdminUserDetail } from '@platform/client';

/** A user has at most one. */
export const PLATFORM_ROLES = ['OPERATOR', 'ARBITER', 'ADMIN'] as const;
export type PlatformRole = (typeof PLATFORM_ROLES)[number];

export const findPlatformRole = ({ roles }: { roles: readonly string[] }): PlatformRole | undefined =>
  PLATFORM_ROLES.find((role) => roles.includes(role));

/** Whether somebody could still sign in without the platform role. */
export const hasOtherRoles = ({ roles }: { roles: readonly string[] }): boolean =>
  roles.some((role) => role === 'CUSTOMER' || role === 'EMPLOYEE');

/** Whether there is an app or a passkey. */
export const hasFactors = ({ secondFactors }: Pick<AdminUserDetail, 'secondFactors'>): boolean =>
  secondFactors.totp || secondFactors.passkeys > 0;

/** Whether so few of the ten recovery codes are left that the page says so, in time to make new ones. */
export const hasFewCodes = ({ secondFactors }: Pick<AdminUserDetail, 'secondFactors'>): boolean =>
  secondFactors.recoveryCodesLeft < 3;

type SignInFacts = Pick<AdminUserDetail, 'roles' | 'isBlocked' | 'hasPassword' | 'identities' | 'pauses'> & {
  secondFactors: Pick<AdminUserDetail['secondFactors'], 'passkeys'>;
};

type SignInProblem =
  | { kind: 'blocked' }
  | { kind: 'noRole' }
  | { kind: 'noWay' }
  | { kind: 'paused'; secret: string; until: string };

/** Why somebody cannot sign in now, which a colleague asks first. */
export const findSignInProblems = (user: SignInFacts): SignInProblem[] => {
  const { roles, isBlocked, hasPassword, identities, pauses, secondFactors } = user;
  const hasWay = hasPassword || identities.length > 0 || secondFactors.passkeys > 0;
  return [
    ...(isBlocked ? [{ kind: 'blocked' } as const] : []),
    ...(roles.length === 0 ? [{ kind: 'noRole' } as const] : []),
    ...(hasWay ? [] : [{ kind: 'noWay' } as const]),
    ...pauses.map(({ secret, until }) => ({ kind: 'paused', secret, until }) as const),
  ];
};
