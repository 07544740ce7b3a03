import { EDITABLE, type Field, findChanges, type Texts } from './project.ts';

type Merge = {
  /** The texts for the form: my own in each field that I have changed, else the colleague's. */
  texts: Texts;
  /** The fields that only the colleague has changed. */
  taken: Field[];
  /** The fields that both have changed, to different values. */
  conflicts: Field[];
};

/** Merges field by field. `base` is the version that both have started from. */
export const mergeTexts = (base: Texts, mine: Texts, theirs: Texts): Merge => {
  const changedByMe = findChanges(base, mine);
  const changedByThem = findChanges(base, theirs);
  const different = findChanges(mine, theirs);
  const taken = changedByThem.filter((field) => !changedByMe.includes(field));
  const conflicts = changedByThem.filter((field) => changedByMe.includes(field) && different.includes(field));
  const texts = Object.fromEntries(
    EDITABLE.map((field) => [field, taken.includes(field) ? theirs[field] : mine[field]]),
  ) as Texts;
  return { texts, taken, conflicts };
};
