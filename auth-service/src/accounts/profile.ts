import { PROFILE_FIELDS, type Profile, type ProfileField } from '@platform/shared/platform/profile';
import type { ProfileKind } from '../kinds.ts';

/** The fields of a profile that had a value. */
export type ClearedProfile = { kind: ProfileKind; fields: ProfileField[] };

export type NewProfile = { [Field in ProfileField]?: string | undefined };

/** Null clears a field. */
export type ProfileChanges = { [Field in ProfileField]?: string | null | undefined };

/** Omits the fields that already have the value. */
export const toEffectiveChanges = (profile: Profile, changes: ProfileChanges): ProfileChanges =>
  Object.fromEntries(
    PROFILE_FIELDS.filter((field) => changes[field] !== undefined && changes[field] !== profile[field]).map(
      (field) => [field, changes[field]],
    ),
  );
