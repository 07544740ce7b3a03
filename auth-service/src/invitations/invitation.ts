import { AppError } from '@platform/shared/errors/app-error';
import type { Language } from '@platform/shared/http/language';
import { isPlatformRole, type PlatformRole } from '@platform/shared/platform/access/platform-role';

/** An invitation whose code was found; it may have expired. */
export type Invitation = {
  id: string;
  /** In lower case. */
  email: string;
  role: PlatformRole;
  language: Language;
  invitedBy: string;
  expiresAt: Date;
};

const OBSTACLES = ['expired', 'used', 'account-verified', 'account-blocked', 'account-has-role'] as const;
/** Why an invitation cannot be accepted, as named in the audit log. The client does not learn it. */
type Obstacle = (typeof OBSTACLES)[number];

/** An account of any kind with the invited address. */
export type InvitedAccount = { isEmailVerified: boolean; isBlocked: boolean; roles: string[] };

/** Undefined without an account, and for an unverified one, which the code takes over. */
export const findObstacle = (account: InvitedAccount | undefined): Obstacle | undefined => {
  if (account?.isEmailVerified) return 'account-verified';
  if (account?.isBlocked) return 'account-blocked';
  return account?.roles.some(isPlatformRole) ? 'account-has-role' : undefined;
};

/** Each obstacle has the same error as an unknown code, so that it tells a guesser nothing. */
export const invitationInvalid = (obstacle?: Obstacle) =>
  new AppError('CODE_INVALID', 400, 'The invitation is no longer valid', { cause: obstacle });

/** Undefined for any other error. */
export const readObstacle = (error: unknown): Obstacle | undefined =>
  error instanceof AppError ? OBSTACLES.find((obstacle) => obstacle === error.cause) : undefined;
