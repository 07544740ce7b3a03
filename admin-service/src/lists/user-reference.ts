/** A user who did something; the address is null if the user was deleted, the name also without one. */
export type UserReference = { id: string; email: string | null; name: string | null };

export const toUserReference = (
  id: string | null,
  email: string | null,
  name: string | null,
): UserReference | null => (id === null ? null : { id, email, name });
