import type { components } from '@platform/openapi/types/auth';
import type { Account } from './accounts/account.ts';
import { KINDS, type Kind } from './kinds.ts';

type Schemas = components['schemas'];

/** The `user` of every answer: only what belongs to the kind, never a hash. */
export const toUserBody = (kind: Kind, account: Account): Schemas['User'] => ({
  id: account.userId,
  email: account.email,
  isEmailVerified: account.isEmailVerified,
  roles: account.roles as Schemas['User']['roles'],
  createdAt: account.createdAt.toISOString(),
  [KINDS[kind].profileLink]: account.profile.id,
});

export const toProfileBody = ({ profile }: Account): Schemas['Profile'] => ({
  ...profile,
  createdAt: profile.createdAt.toISOString(),
  updatedAt: profile.updatedAt.toISOString(),
});
