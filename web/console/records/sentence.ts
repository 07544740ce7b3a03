import type { AuditAction } from '@platform/client';

/**
 * `{actor}`, `{target}` and `{user}`, whom a record about something else concerns, become links, and
 * `{detail}` the one fact that the action depends on. German also has `{targetDative}` and `{userDative}`. The
 * second text is for the page of the user whom it concerns: what the user did without naming them, and what was
 * done to them. The third and fourth are the same for users who did it to themselves.
 */
export type Sentence = readonly [
  inLog: string,
  aboutUser: string,
  toThemselves?: string,
  aboutUserToThemselves?: string,
];

/** A new action is shown by its name until it has a sentence. */
export type Sentences = Partial<Record<AuditAction, Sentence>>;
