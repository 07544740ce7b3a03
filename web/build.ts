import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { build } from 'vite';
import { withoutUnusedReact } from './unused-react.ts';

export const APPLICATIONS = ['console', 'account'] as const;
type Application = (typeof APPLICATIONS)[number];

/** The folders below the pages, whose modules most pages share. */
const SHARED = {
  console: /\/web\/(?:components|console\/records)\//,
  account: /\/web\/(?:components|session|words)\//,
};

/**
 * Builds one application into `<directory>/<application>`: an index.html, and files in assets/ whose names
 * contain a hash of their content. The gateway serves the folder at `/<application>/`, and creates
 * settings.css, settings.json, the logo and the icons there. Without a directory, nothing is written.
 */
export const buildApplication = async (application: Application, directory?: string): Promise<void> => {
  await build({
    configFile: false,
    root: join(import.meta.dirname, application),
    base: `/${application}/`,
    publicDir: false,
    // React has useSyncExternalStore since version 18, and wouter imports nothing else from this package.
    resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
    plugins: [withoutUnusedReact()],
    logLevel: 'warn',
    build: {
      ...(directory ? { outDir: join(directory, application), emptyOutDir: true } : { write: false }),
      target: 'es2022',
      // The polyfill would be an inline script, and a data: URL would need another source in the policy.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: {
        // All that the first screen needs is one file, which compresses better than ten.
        output: {
          codeSplitting: {
            groups: [
              { name: 'start', tags: ['$initial'], priority: 3 },
              // The screens of the console are opened one after the other all day. Without this, the second one
              // would load twelve small files.
              { name: 'shared', test: SHARED[application], priority: 1 },
              // The sign-in page loads passkeys by itself, and most people none of the later steps.
              { name: 'passkeys', test: /@simplewebauthn|\/client\/src\/passkey/, priority: 2 },
              { name: 'later-steps', test: /\/later-steps/, priority: 1 },
            ],
          },
        },
        treeshake: {
          // Its package does not say so, and a page that only signs in needs half of it.
          moduleSideEffects: [{ test: /@simplewebauthn/, sideEffects: false }],
        },
        onLog: (level, log, handle) => {
          // "use client" of TanStack Query concerns servers only.
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
        },
      },
    },
    worker: { format: 'es' },
  });
};

/**
 * Writes each file of assets/ a second time, compressed with Brotli (`<name>.br`), an eighth smaller than what
 * gzip makes of it. It takes some seconds, so that builds for development go without.
 */
export const compressApplication = async (application: Application, directory: string): Promise<void> => {
  const assets = join(directory, application, 'assets');
  const compress = async (name: string): Promise<void> => {
    const file = join(assets, name);
    await writeFile(`${file}.br`, await promisify(brotliCompress)(await readFile(file)));
  };
  await Promise.all((await readdir(assets)).map(compress));
};
