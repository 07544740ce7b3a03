import type { components } from '@platform/openapi/types/auth';
import { findPlatformRole } from '@platform/shared/access/platform-role';
import { factsOf, type Kind } from '../kinds.ts';
import type { Account, Profile } from './account.ts';

type Schemas = components['schemas'];

/** What the kind adds to a `user`: the id of its profile, or its platform role. */
const kindFields = (kind: Kind, { profile, roles }: Account): Partial<Schemas['User']> => {
  const facts = factsOf(kind);
  const platformRole = facts.hasPlatformRole ? findPlatformRole(roles) : undefined;
  return {
    ...(facts.profile && profile && { [facts.profile.link]: profile.id }),
    ...(platformRole && { platformRole }),
  };
};

/** The `user` of every answer: only what belongs to the kind, never a hash. */
export const toUserBody = (kind: Kind, account: Account): Schemas['User'] => ({
  id: account.userId,
  email: account.email,
  isEmailVerified: account.isEmailVerified,
  roles: account.roles as Schemas['User']['roles'],
  createdAt: account.createdAt.toISOString(),
  ...kindFields(kind, account),
});

export const toProfileBody = (profile: Profile): Schemas['Profile'] => ({
  ...profile,
  createdAt: profile.createdAt.toISOString(),
  updatedAt: profile.updatedAt.toISOString(),
});

export const toProfileOrNone = ({ profile }: Account): Schemas['ProfileOrNone'] =>
  profile && toProfileBody(profile);
