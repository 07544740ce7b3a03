import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import recipes from '../../openapi/client/recipes/package.json' with { type: 'json' };
import { createEmptyProject, type FrontendProject, packClient } from './frontend-project.ts';

const CORE_BYTES = 7_000;
const REACT_BYTES = 1_000;
const ACCOUNT_BYTES = 1_000;
const PASSKEYS_BYTES = 4_000;
const OIDC_BYTES = 1_000;

const MANIFEST = {
  name: 'empty-project',
  private: true,
  type: 'module',
  scripts: { build: 'tsc && vite build' },
};
const COMPILER_OPTIONS = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  // No types of Node.
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
const REACT = `${CORE}
import { usePlatformSession } from '@platform/client/react';
export const useUser = () => usePlatformSession(platform).user;
Object.assign(window, { useUser });
`;
const ACCOUNT = `${CORE}
import * as account from '@platform/client/account';
Object.assign(window, account);
`;
const PASSKEYS = `${ACCOUNT}
import * as passkeys from '@platform/client/passkeys';
Object.assign(window, passkeys);
`;
const OIDC = `${CORE}
import * as oidc from '@platform/client/oidc';
Object.assign(window, oidc);
`;
const MESSAGES = `${CORE}
import * as messages from '@platform/client/messages';
Object.assign(window, messages);
`;
/** React belongs to the application, so it is not part of what the hook adds. */
const VITE = `export default { build: { rollupOptions: { external: ['react'] } } };`;

const readScripts = async ({ directory }: FrontendProject): Promise<Buffer[]> => {
  const assets = join(directory, 'dist/assets');
  const scripts = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  return await Promise.all(scripts.map((name) => readFile(join(assets, name))));
};
/** The built JavaScript, compressed as a web server does. */
const measure = async (project: FrontendProject): Promise<number> =>
  (await readScripts(project)).reduce((sum, content) => sum + gzipSync(content).length, 0);

describe('packed client in an empty Vite project', () => {
  let project: FrontendProject;
  /** The page without the client is not empty: Vite adds a polyfill. */
  let emptyBytes = 0;
  let coreBytes = 0;

  before('install', async () => {
    project = await createEmptyProject();
    const { typescript, vite } = recipes.devDependencies;
    await project.write('package.json', JSON.stringify(MANIFEST));
    await project.write('index.html', PAGE);
    await project.write('vite.config.js', VITE);
    const packages = [`typescript@${typescript}`, `vite@${vite}`, await packClient()];
    await project.npm('install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages);
    await project.write('src/main.ts', "document.body.append('Hello');");
    await project.write('tsconfig.json', JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
    await project.npm('run', 'build');
    emptyBytes = await measure(project);
  });

  for (const exactOptionalPropertyTypes of [false, true])
    it(`builds to less than ${CORE_BYTES} bytes of compressed JavaScript, exactOptionalPropertyTypes: ${exactOptionalPropertyTypes}`, async () => {
      const compilerOptions = { ...COMPILER_OPTIONS, exactOptionalPropertyTypes };
      await project.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'] }));
      await project.write('src/main.ts', CORE);
      const output = await project.npm('run', 'build');
      expect(output).to.include('dist/index.html');
      coreBytes = (await measure(project)) - emptyBytes;
      console.log(
        `      core: ${coreBytes} bytes (gzip), in addition to ${emptyBytes} bytes of the empty page`,
      );
      expect(coreBytes).to.be.within(1_000, CORE_BYTES - 1);
    });

  it(`adds less than ${ACCOUNT_BYTES} bytes with the account calls, ${PASSKEYS_BYTES} with passkeys, ${OIDC_BYTES} with providers`, async () => {
    const build = async (code: string) => {
      await project.write('src/main.ts', code);
      await project.npm('run', 'build');
      return await measure(project);
    };
    const withAccount = await build(ACCOUNT);
    const account = withAccount - emptyBytes - coreBytes;
    const passkeys = (await build(PASSKEYS)) - withAccount;
    const oidc = (await build(OIDC)) - emptyBytes - coreBytes;
    console.log(`      /account: ${account} bytes more, /passkeys: ${passkeys}, /oidc: ${oidc} (gzip)`);
    expect(account).to.be.within(100, ACCOUNT_BYTES - 1);
    expect(passkeys).to.be.within(500, PASSKEYS_BYTES - 1);
    expect(oidc).to.be.within(100, OIDC_BYTES - 1);
  });

  it('contains the messages for users only if they are imported', async () => {
    const containsMessages = async (code: string) => {
      await project.write('src/main.ts', code);
      await project.npm('run', 'build');
      return (await readScripts(project)).some((content) => content.includes('Bitte'));
    };
    expect(await containsMessages(PASSKEYS)).to.equal(false);
    expect(await containsMessages(MESSAGES)).to.equal(true);
    console.log(`      /messages: ${(await measure(project)) - emptyBytes - coreBytes} bytes more (gzip)`);
  });

  it(`adds less than ${REACT_BYTES} bytes with the hook`, async () => {
    const { react } = recipes.dependencies;
    await project.npm('install', '--ignore-scripts', '--no-audit', '--no-fund', `react@${react}`);
    await project.write('src/main.ts', REACT);
    await project.npm('run', 'build');
    const bytes = (await measure(project)) - emptyBytes - coreBytes;
    console.log(`      /react: ${bytes} bytes more (gzip)`);
    expect(bytes).to.be.within(1, REACT_BYTES - 1);
  });
});
