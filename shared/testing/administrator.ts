import type { AccountKind } from './auth-client.ts';

/** As the other kinds, but for sign-up: administrators are registered, and have a platform role in place of a profile. */
export const ADMINISTRATOR: AccountKind = {
  kind: 'administrator',
  plural: 'administrators',
  path: '/api/v1/auth/admin',
  refreshCookie: 'AdminRefreshToken',
  role: 'ADMIN',
  profileLink: 'platformRole',
};

export const PLATFORM_ROLES = ['ADMIN', 'OPERATOR', 'ARBITER'] as const;
export type PlatformRole = (typeof PLATFORM_ROLES)[number];
