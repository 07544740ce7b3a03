/** A user who did something; the address is null if the user was deleted. */
export type UserReference = { id: string; email: string | null };

export const toUserReference = (id: string | null, email: string | null): UserReference | null =>
  id === null ? null : { id, email };
