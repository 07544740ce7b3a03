import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readBaseImage } from './deploy/dockerfile.ts';
import { findReleaseErrors, readNotes } from './deploy/release.ts';

// `node run.mjs tools/check-release.ts v1.2.3`: fails unless the checkout is the release of that tag; prints its notes.

const ROOT = resolve(import.meta.dirname, '..');
const read = (file: string): Promise<string> => readFile(resolve(ROOT, file), 'utf8');

const { version } = JSON.parse(await read('package.json')) as { version: string };
const changelog = await read('CHANGELOG.md');
const errors = findReleaseErrors({
  tag: process.argv[2] ?? '',
  version,
  changelog,
  baseImage: readBaseImage().pinned,
});
for (const error of errors) console.error(error);
if (errors.length === 0) console.log(readNotes(changelog, version));
else process.exitCode = 1;
