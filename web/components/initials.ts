/** The first letters of the first and the last word: "Ada Lovelace" is AL. */
export const initialsOf = (name: string): string => {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const [first = '?', ...others] = words;
  const last = name.includes('@') ? undefined : others.at(-1);
  return [first, last]
    .map((word) => (word ? ([...word][0] ?? '') : ''))
    .join('')
    .toUpperCase();
};
