import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { APPLICATIONS, buildApplication, compressApplication } from './build.ts';

// `node web/run-build.ts [directory]` builds both applications, by default into web/dist. With `--check`, it
// writes nothing; with `--compress`, it also writes the files in Brotli, for production.
const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false }, compress: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [directory = join(import.meta.dirname, 'dist')] = positionals;
const buildOne = async (application: (typeof APPLICATIONS)[number]): Promise<void> => {
  await buildApplication(application, values.check ? undefined : directory);
  if (values.compress) await compressApplication(application, directory);
};
await Promise.all(APPLICATIONS.map(buildOne));
