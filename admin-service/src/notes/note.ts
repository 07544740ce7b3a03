import { tooManyRequests } from '@platform/shared/errors/app-error';

import type { UserReference } from '../lists/user-reference.ts';

/** A note of the back office about a user. It is deleted with the user's account. */
export type Note = { id: string; text: string; author: UserReference; createdAt: Date };

/** About one user or one contact form. Lists show all notes at once, so a script must not add them without end. */
export const MAX_NOTES_PER_HOUR = 60;

/** @throws AppError 429 while notes have to wait for these seconds */
export const requireNoteAllowed = (seconds: number): void => {
  if (seconds > 0) throw tooManyRequests('RATE_LIMITED', 'Too many notes; retry later.', seconds);
};
