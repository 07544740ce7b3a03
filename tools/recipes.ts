import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '..');

/** The patches that CONTRIBUTING.md links to, in its order: a later one may need an earlier one. */
export const RECIPES = [
  ...new Set(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').match(/docs\/recipes\/[\w-]+\.patch/g)),
];

/** The tests that a patch adds or changes. */
export const listTests = (patch: string): string[] =>
  [...readFileSync(join(ROOT, patch), 'utf8').matchAll(/^\+\+\+ b\/(.+\.test\.tsx?)$/gm)].map(
    ([, path = '']) => path,
  );
