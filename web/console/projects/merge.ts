import { EDITABLE, type Field, findChanges, type Texts } from './project.ts';

type Merge = {
  /** What the form shows: one's own text wherever one has changed it, and else the colleague's. */
  texts: Texts;
  /** Only the colleague has changed them. */
  taken: Field[];
  /** Both have changed them, to different values. */
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

/** Words with the spaces after them, so that they can be joined again. */
const splitWords = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? [];

const countEqual = (one: readonly string[], other: readonly string[]): number => {
  const end = one.findIndex((word, index) => word.trimEnd() !== other[index]?.trimEnd());
  return end === -1 ? one.length : end;
};

/** Splits a text into what is before, within and after the words that differ from the older text. */
export const markChange = (before: string, after: string): [start: string, changed: string, end: string] => {
  const [old, words] = [splitWords(before), splitWords(after)];
  const start = countEqual(words, old);
  const end = countEqual(words.slice(start).reverse(), old.slice(start).reverse());
  const changedEnd = words.length - end;
  return [
    words.slice(0, start).join(''),
    words.slice(start, changedEnd).join(''),
    words.slice(changedEnd).join(''),
  ];
};
