import { readFileSync } from 'node:fs';

const FILE = new URL('./common-passwords.txt', import.meta.url);

/**
 * The list of common passwords as one string: a Set would take many times its memory, and a search takes a thousandth of the
 * time of the hash that follows.
 * @returns whether a password in lower case is in the list
 */
export const readCommonPasswords = (): ((lower: string) => boolean) => {
  const text = readFileSync(FILE, 'latin1');
  const lines = text.slice(text.indexOf('\n\n') + 1);
  return (lower) => !lower.includes('\n') && lines.includes(`\n${lower}\n`);
};
