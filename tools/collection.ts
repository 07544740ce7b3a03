import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { loadOperations, type Operation } from './collection/operations.ts';
import { getTag, toRequestFile } from './collection/request-file.ts';

// Writes collection/operations, a Bruno request for each operation of openapi/platform.json; part of `npm run generate`.
// With --check it writes nothing, names each stale file and exits with 1. The journeys are not generated.

const ROOT = resolve(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'collection/operations');

/** `customerSignIn` and `audit log` → `customer-sign-in` and `audit-log`. */
const toFileName = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll(' ', '-')
    .toLowerCase();

const print = (content: object): string => stringify(content, { lineWidth: 0 });

/** The sign-in comes first in its folder, and last what ends its session. */
const ORDER = ['signs-in', undefined, 'ends-session'];
const byOrder = (one: Operation, other: Operation): number =>
  ORDER.indexOf(getTag(one)) - ORDER.indexOf(getTag(other));

const byFile = async (): Promise<Map<string, string>> => {
  const { tags, operations } = await loadOperations(ROOT);
  const files = new Map<string, string>();
  for (const [index, { name, description }] of tags.entries()) {
    const folder = toFileName(name);
    const info = { name, type: 'folder', seq: index + 1 };
    const docs = { content: description?.trim() ?? name, type: 'text/markdown' };
    files.set(`${folder}/folder.yml`, print({ info, docs }));
    const tagged = operations.filter(({ tag }) => tag === name);
    for (const [position, operation] of tagged.toSorted(byOrder).entries())
      files.set(
        `${folder}/${toFileName(operation.id)}.yml`,
        print(toRequestFile(operation, position + 1, operations)),
      );
  }
  return files;
};

const readPresent = async (): Promise<Map<string, string>> => {
  await mkdir(FOLDER, { recursive: true });
  const names = (await readdir(FOLDER, { recursive: true })).filter((name) => name.endsWith('.yml'));
  const read = async (name: string): Promise<[string, string]> => [
    name.replaceAll('\\', '/'),
    await readFile(join(FOLDER, name), 'utf8'),
  ];
  return new Map(await Promise.all(names.map(read)));
};

const [wanted, present] = await Promise.all([byFile(), readPresent()]);
const stale = [...wanted].filter(([name, content]) => present.get(name) !== content);
const leftovers = [...present.keys()].filter((name) => !wanted.has(name));
if (process.argv.includes('--check')) {
  for (const name of [...stale.map(([file]) => file), ...leftovers])
    console.error(`collection/operations/${name} is stale: run \`npm run generate\` and commit the result.`);
  if (stale.length + leftovers.length > 0) process.exitCode = 1;
} else {
  for (const [name, content] of stale) {
    await mkdir(dirname(join(FOLDER, name)), { recursive: true });
    await writeFile(join(FOLDER, name), content);
  }
  for (const name of leftovers) await rm(join(FOLDER, name));
}
