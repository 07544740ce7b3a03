import type { UserReference } from '../lists/user-reference.ts';

/** A note of the back office about a user. It is deleted with the user's account. */
export type Note = { id: string; text: string; author: UserReference; createdAt: Date };
