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
