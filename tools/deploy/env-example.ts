import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

type Entry = { name: string; value: string; isCommented: boolean };

const FILE = resolve(import.meta.dirname, '../../.env.example');

/** All variables of .env.example, including those commented out to keep their default. */
export const readEnvExample = async (): Promise<Entry[]> =>
  [...(await readFile(FILE, 'utf8')).matchAll(/^(#?)([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(
    ([, sign, name = '', value = '']) => ({ name, value, isCommented: sign === '#' }),
  );
