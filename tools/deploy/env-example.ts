import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

/** `comment` is the comment above the variable or above its group. */
type Entry = { name: string; value: string; isCommented: boolean; comment: string };

const FILE = resolve(import.meta.dirname, '../../.env.example');

/** All variables of .env.example, including those commented out to keep their default. */
export const readEnvExample = async (): Promise<Entry[]> => {
  const entries: Entry[] = [];
  let comment = '';
  let isWithinGroup = false;
  for (const line of (await readFile(FILE, 'utf8')).split('\n')) {
    const [, sign, name, value] = /^(#?)([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) {
      entries.push({ name, value, isCommented: sign === '#', comment });
      isWithinGroup = true;
    } else if (line.startsWith('# ---') || line === '') comment = '';
    else if (isWithinGroup) comment = line;
    else comment += line;
    if (name === undefined) isWithinGroup = false;
  }
  return entries;
};
