import { readFileSync } from 'node:fs';
import { listNumbers } from './release-numbers.ts';
import { findEarlierRelease } from './releases.ts';

// `node tools/check-release.ts v1.2.3`: prints the notes of the release of this tag, and fails unless the
// checkout is that release.

const read = (file: string): string => readFileSync(file, 'utf8');

/** The section of a version in the changelog, without its heading; empty if there is none. */
const readNotes = (version: string): string => {
  const sections = read('CHANGELOG.md').split(/^## /m);
  const section = sections.find((text) => text.startsWith(`[${version}]`)) ?? '';
  return section.split('\n').slice(1).join('\n').trim();
};

const [, , tag] = process.argv;
const { version } = JSON.parse(read('package.json')) as { version: string };
const notes = readNotes(version);
const numbers = listNumbers('.', { version, previous: findEarlierRelease().version });
const errors = [
  ...(tag === `v${version}` ? [] : [`The tag is ${tag}, but package.json has the version ${version}.`]),
  ...(notes === '' ? [`CHANGELOG.md has no notes of ${version}.`] : []),
  ...(read('docs/upgrading.md').includes(`\n## ${version}\n`)
    ? []
    : [`docs/upgrading.md has no section of ${version}.`]),
  ...numbers
    .filter(({ found, expected }) => found !== expected)
    .map(({ file, place, expected }) => `${file} has ${place} instead of ${expected}.`),
];
for (const error of errors) console.error(error);
if (errors.length === 0) console.log(notes);
else process.exitCode = 1;
