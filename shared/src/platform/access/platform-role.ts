import { makeExactValidator } from 'envalid';
import { splitList } from '../../config/env.ts';
import { forbidden } from '../../errors/app-error.ts';

export const PLATFORM_ROLES = ['ADMIN', 'OPERATOR', 'ARBITER'] as const;
export type PlatformRole = (typeof PLATFORM_ROLES)[number];

export const isPlatformRole = (role: string | undefined): role is PlatformRole =>
  PLATFORM_ROLES.some((name) => name === role);

/** The platform role of a user who has exactly one, otherwise undefined. */
export const findPlatformRole = (roles: readonly string[]): PlatformRole | undefined => {
  const [role, ...others] = roles.filter(isPlatformRole);
  return others.length === 0 ? role : undefined;
};

export const workspaceForbidden = () =>
  forbidden('WORKSPACE_FORBIDDEN', 'This workspace is not open to your platform role');

export const platformRoleInvalid = () =>
  forbidden('PLATFORM_ROLE_INVALID', 'The user does not hold exactly one platform role');

/** @throws AppError 403 PLATFORM_ROLE_INVALID */
export const getPlatformRole = (roles: readonly string[]): PlatformRole => {
  const role = findPlatformRole(roles);
  if (role === undefined) throw platformRoleInvalid();
  return role;
};

export const platformRoleList = makeExactValidator((input) => {
  const names = splitList(input);
  const unknown = names.filter((name) => !isPlatformRole(name));
  if (unknown.length > 0)
    throw new TypeError(`has unknown roles (${unknown.join(', ')}): use ${PLATFORM_ROLES.join(', ')}`);
  return names.filter(isPlatformRole);
});
