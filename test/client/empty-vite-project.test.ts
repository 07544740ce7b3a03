import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import recipes from '../../openapi/client/recipes/package.json' with { type: 'json' };
import { createEmptyProject, type FrontendProject, packClient } from './frontend-project.ts';

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
const ENTRY_POINTS = ['account', 'messages', 'messages/de', 'messages/en', 'oidc', 'passkeys', 'react'];
/** The README of the client promises it. */
const CORE_BYTES = 7_000;

const importAll = (...names: string[]): string =>
  [
    CORE,
    ...names.map((name, index) => `import * as entry${index} from '@platform/client/${name}';`),
    `Object.assign(window, ${names.map((_, index) => `entry${index}`).join(', ')});`,
  ].join('\n');

const readScripts = async ({ directory }: FrontendProject): Promise<Buffer[]> => {
  const assets = join(directory, 'dist/assets');
  const scripts = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  return await Promise.all(scripts.map((name) => readFile(join(assets, name))));
};
/** Measures the built JavaScript, compressed as a web server does. */
const measure = async (project: FrontendProject): Promise<number> =>
  (await readScripts(project)).reduce((sum, content) => sum + gzipSync(content).length, 0);

describe('packed client in an empty Vite project', () => {
  let project: FrontendProject;
  const build = async (code: string): Promise<number> => {
    await project.write('src/main.ts', code);
    await project.npm('run', 'build');
    return await measure(project);
  };
  let coreBytes: number;

  before('install, and build a page with the core of the client', async () => {
    project = await createEmptyProject();
    const { typescript, vite } = recipes.devDependencies;
    await project.write('package.json', JSON.stringify(MANIFEST));
    await project.write('index.html', PAGE);
    const tools = [`typescript@${typescript}`, `vite@${vite}`, `react@${recipes.dependencies.react}`];
    const options = ['--ignore-scripts', '--no-audit', '--no-fund'];
    await project.npm('install', ...options, ...tools, await packClient());
    await project.write('tsconfig.json', JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
    coreBytes = await build(CORE);
  });

  it(`adds less than ${CORE_BYTES} bytes of compressed JavaScript`, async () => {
    // The page without the client is not empty, because Vite adds a polyfill.
    const emptyBytes = await build("document.body.append('Hello');");
    expect(coreBytes - emptyBytes).to.be.within(1_000, CORE_BYTES - 1);
  });

  it('builds with every entry point', async () => {
    expect(await build(importAll(...ENTRY_POINTS))).to.be.above(coreBytes);
  });

  it('contains the messages of a language only if it is imported', async () => {
    const containsMessages = async (name: string) => {
      await build(importAll(name));
      return (await readScripts(project)).some((content) => content.includes('Bitte'));
    };
    expect(await containsMessages('passkeys')).to.equal(false);
    expect(await containsMessages('messages/en')).to.equal(false);
    expect(await containsMessages('messages/de')).to.equal(true);
  });
});
