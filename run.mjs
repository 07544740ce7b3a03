// Runs a TypeScript entry point: `node run.mjs path/to/file.ts [arguments]`.
// Plain JavaScript for any Node, so that one too old says so in a line instead of failing on the first type annotation.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const stripsTypes = major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18);

if (!stripsTypes) {
  console.error(
    `This project runs on Node 24, which npm installs with it for Linux and Windows; here only Node ${process.versions.node} was found. ` +
      'Run `npm ci` again without --omit=optional, or install Node 22.18 or later.',
  );
  process.exitCode = 1;
} else {
  const [entry] = process.argv.splice(2, 1);
  process.argv[1] = resolve(entry);
  await import(pathToFileURL(process.argv[1]).href);
}
