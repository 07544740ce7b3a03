/**
 * The name of an action in the filter, and its sentences. `{actor}`, `{target}` and `{user}`, whom a record about
 * something else concerns, become links, and `{detail}` the one fact that the action depends on. German also has
 * `{targetDative}` and `{userDative}`. `aboutUser` is for the page of the user whom it concerns: what the user did,
 * or what was done to them. The last two are the same for users who did it to themselves. The sentences about the
 * user are written out where they are more than the others without the person at their start.
 */
export type ActionTexts = readonly [
  name: string,
  inLog: string,
  aboutUser?: string,
  toThemselves?: string,
  aboutUserToThemselves?: string,
];
