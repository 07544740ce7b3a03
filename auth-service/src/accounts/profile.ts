import type { Profile } from '../authentication/callers.ts';

export type NewProfile = {
  firstName?: string | undefined;
  lastName?: string | undefined;
  phone?: string | undefined;
};

const PROFILE_FIELDS = ['firstName', 'lastName', 'phone'] as const;

/** Null clears a field. */
export type ProfileChanges = { [Field in (typeof PROFILE_FIELDS)[number]]?: string | null | undefined };

/** Omits the fields that already have the value. */
export const toEffectiveChanges = (profile: Profile, changes: ProfileChanges): ProfileChanges =>
  Object.fromEntries(
    PROFILE_FIELDS.filter((field) => changes[field] !== undefined && changes[field] !== profile[field]).map(
      (field) => [field, changes[field]],
    ),
  );
