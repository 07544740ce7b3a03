import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import recipes from '../../openapi/client/recipes/package.json' with { type: 'json' };
import { createEmptyProject, type FrontendProject, packPackage } from './frontend-project.ts';

const MANIFEST = {
  name: 'empty-project',
  private: true,
  type: 'module',
  scripts: { build: 'tsc && vite build' },
};
const COMPILER_OPTIONS = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  // The types of Node are not available in a browser project.
  types: ['vite/client'],
  module: 'esnext',
  moduleResolution: 'bundler',
  strict: true,
  verbatimModuleSyntax: true,
  noEmit: true,
};
const PAGE = '<!doctype html><title>Shop</title><script type="module" src="/src/main.ts"></script>';
const CORE = `
import { createPlatformClient, isPlatformError, type CustomerUser, type Profile } from '@platform/client';

const platform = createPlatformClient({ gatewayUrl: 'https://api.example.com', kind: 'customer' });
const show = (user: CustomerUser, profile: Profile | null) => document.body.append(profile?.firstName ?? user.email);

try {
  const { user, profile } = await platform.me();
  show(user, profile);
} catch (error) {
  if (!isPlatformError(error, 'TOKEN_INVALID')) throw error;
}
`;
const REACT = `
// @ts-expect-error The types of React are not installed.
import * as react from 'react';
Object.assign(window, react);
`;
/** Everything that a page can import, with one language, but for the table of browsers in device-name. */
const ENTRY_POINTS = [
  'account',
  'account-pages',
  'messages',
  'messages/en',
  'oidc',
  'passkey-availability',
  'passkeys',
  'react',
];
/** The README of the client promises them. */
const CORE_BYTES = 9_500;
const ALL_BYTES = 18_500;
const BOT_CHECK_BYTES = 5_000;
/** The size of the entry point for other services. */
const SERVICE_BYTES = 3_700;

const importAll = (...names: string[]): string =>
  [
    CORE,
    ...names.map((name, index) => `import * as entry${index} from '@platform/client/${name}';`),
    `Object.assign(window, ${names.map((_, index) => `entry${index}`).join(', ')});`,
  ].join('\n');

/** The scripts that the page loads at once, and those that it loads when it needs them. */
const readScripts = async ({ directory }: FrontendProject) => {
  const dist = join(directory, 'dist');
  const html = await readFile(join(dist, 'index.html'), 'utf8');
  const scripts = (await readdir(join(dist, 'assets'))).filter((name) => name.endsWith('.js'));
  const read = (names: string[]): Promise<Buffer[]> =>
    Promise.all(names.map((name) => readFile(join(dist, 'assets', name))));
  const isInitial = (name: string): boolean => html.includes(`/assets/${name}"`);
  return {
    initial: await read(scripts.filter(isInitial)),
    later: await read(scripts.filter((name) => !isInitial(name))),
  };
};
/** Compressed as a web server does. */
const measure = (scripts: readonly Buffer[]): number =>
  scripts.reduce((sum, content) => sum + gzipSync(content).length, 0);

describe('packed client in an empty Vite project', () => {
  let project: FrontendProject;
  const build = async (code: string) => {
    await project.write('src/main.ts', code);
    await project.npm('run', 'build');
    return await readScripts(project);
  };
  let core: Awaited<ReturnType<typeof build>>;

  before('install, and build a page with the core of the client', async () => {
    project = await createEmptyProject();
    const { typescript, vite } = recipes.devDependencies;
    await project.write('package.json', JSON.stringify(MANIFEST));
    await project.write('index.html', PAGE);
    const tools = [`typescript@${typescript}`, `vite@${vite}`, `react@${recipes.dependencies.react}`];
    const options = ['--ignore-scripts', '--no-audit', '--no-fund'];
    await project.npm('install', ...options, ...tools, await packPackage('client'));
    await project.write('tsconfig.json', JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
    core = await build(CORE);
  });

  it(`adds less than ${CORE_BYTES} bytes of compressed JavaScript to what the page loads at once`, async () => {
    // The page without the client is not empty, because Vite adds a polyfill.
    const empty = await build("document.body.append('Hello');");
    expect(measure(core.initial) - measure(empty.initial)).to.be.within(1_000, CORE_BYTES - 1);
  });

  it(`loads the bot check later, with less than ${BOT_CHECK_BYTES} bytes`, () => {
    const solves = (content: Buffer): boolean => content.includes('PBKDF2');
    expect(core.initial.some(solves)).to.equal(false);
    expect(core.later.some(solves)).to.equal(true);
    expect(measure(core.later)).to.be.below(BOT_CHECK_BYTES);
  });

  it(`adds less than ${SERVICE_BYTES} bytes with the entry for other services`, async () => {
    const empty = await build("document.body.append('Hello');");
    const service = await build(importAll('service').replace(CORE, ''));
    expect(measure(service.initial) - measure(empty.initial)).to.be.within(1_000, SERVICE_BYTES - 1);
  });

  it(`adds less than ${ALL_BYTES} bytes to a page with React when every entry point is imported`, async () => {
    const withReact = await build(REACT);
    const all = await build(importAll(...ENTRY_POINTS));
    const added = measure(all.initial) - measure(withReact.initial);
    expect(added).to.be.within(CORE_BYTES, ALL_BYTES - 1);
  });

  it('contains the messages of a language only if it is imported', async () => {
    const containsMessages = async (name: string): Promise<boolean> => {
      const { initial, later } = await build(importAll(name));
      return [...initial, ...later].some((content) => content.includes('Bitte'));
    };
    expect(await containsMessages('passkeys')).to.equal(false);
    expect(await containsMessages('messages/en')).to.equal(false);
    expect(await containsMessages('messages/de')).to.equal(true);
  });
});
