import type { components } from '@platform/openapi/types/auth';
import { findPlatformRole } from '@platform/shared/access/platform-role';
import { KIND_CONFIGS, type Kind } from '../kinds.ts';
import type { Account, Profile } from './account.ts';

type Schemas = components['schemas'];

/** The profile's id, or the platform role. */
const getKindFields = (kind: Kind, { profile, roles }: Account): Partial<Schemas['User']> => {
  const config = KIND_CONFIGS[kind];
  const platformRole = config.hasPlatformRole ? findPlatformRole(roles) : undefined;
  return {
    ...(config.profile && profile && { [config.profile.idField]: profile.id }),
    ...(platformRole && { platformRole }),
  };
};

/** Without the password hash, and without the fields of other kinds. */
export const toUserBody = (kind: Kind, account: Account): Schemas['User'] => ({
  id: account.userId,
  email: account.email,
  isEmailVerified: account.isEmailVerified,
  roles: account.roles as Schemas['User']['roles'],
  createdAt: account.createdAt.toISOString(),
  ...getKindFields(kind, account),
});

export const toProfileBody = (profile: Profile): Schemas['Profile'] => ({
  ...profile,
  createdAt: profile.createdAt.toISOString(),
  updatedAt: profile.updatedAt.toISOString(),
});

export const toProfileOrNone = ({ profile }: Account): Schemas['ProfileOrNone'] =>
  profile && toProfileBody(profile);
