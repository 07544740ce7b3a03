import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rewriteNumbers } from './release-numbers.ts';
import { findLastRelease, isReleased } from './releases.ts';

// `npm run release:prepare -- 1.2.3`: gives the checkout the version of the next release, wherever it names it.

const ROOT = resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const write = (file: string, text: string): void => writeFileSync(join(ROOT, file), text);

const [, , version = ''] = process.argv;
if (!/^\d+\.\d+\.\d+$/.test(version) || isReleased(version)) {
  console.error('Usage: npm run release:prepare -- <version that releases.json does not name>');
  process.exit(2);
}

const { version: previous } = findLastRelease();
const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
for (const folder of ['.', ...workspaces]) {
  const file = join(folder, 'package.json');
  write(file, read(file).replace(/"version": "[^"]+"/, `"version": "${version}"`));
}
const lock = JSON.parse(read('package-lock.json')) as {
  version: string;
  packages: Record<string, { version: string }>;
};
lock.version = version;
for (const folder of ['', ...workspaces]) Object.assign(lock.packages[folder] ?? {}, { version });
write('package-lock.json', `${JSON.stringify(lock, undefined, 2)}\n`);
for (const [file, text] of rewriteNumbers(ROOT, { version, previous })) write(file, text);

/** Gives the unreleased section the name of the release. A second call with the same version changes nothing. */
const nameSection = (file: string, unreleased: string, heading: string): void => {
  const text = read(file);
  if (text.includes(`\n## ${heading.split(' ', 1)[0]}`)) return;
  write(file, text.replace(`\n## ${unreleased}\n`, `\n## ${unreleased}\n\n## ${heading}\n`));
};
const date = new Date().toISOString().slice(0, 10);
nameSection('CHANGELOG.md', '[Unreleased]', `[${version}] - ${date}`);
nameSection('openapi/client/CHANGELOG.md', 'Unreleased', `${version} - ${date}`);
write('docs/upgrading.md', read('docs/upgrading.md').replace('\n## Unreleased\n', `\n## ${version}\n`));
