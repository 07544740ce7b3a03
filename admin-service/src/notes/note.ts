/** A user of the back office; `email` is null if the user was deleted. */
export type UserReference = { id: string; email: string | null };

/** A note of the back office about a user. It is deleted with the user's account. */
export type Note = { id: string; text: string; author: UserReference; createdAt: Date };
