import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { APPLICATIONS, buildApplication } from './build.ts';

// `node web/run-build.ts [directory]` builds both applications, by default into web/dist. With `--check`, it
// writes nothing.
const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [directory = join(import.meta.dirname, 'dist')] = positionals;
await Promise.all(
  APPLICATIONS.map((application) => buildApplication(application, values.check ? undefined : directory)),
);
