/** The fields that the owner of a profile fills in, with their columns in the tables of both kinds. */
export const PROFILE_COLUMNS = {
  firstName: 'first_name',
  lastName: 'last_name',
  phone: 'phone',
} as const;
export type ProfileField = keyof typeof PROFILE_COLUMNS;
export const PROFILE_FIELDS = Object.keys(PROFILE_COLUMNS) as ProfileField[];

/** The profile of a customer or an employee. */
export type Profile = Record<ProfileField, string | null> & {
  id: string;
  userId: string;
  createdAt: Date;
  updatedAt: Date;
};
