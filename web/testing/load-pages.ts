import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

// Required by every test worker: Node strips types but rejects JSX, and does not know what Vite adds. Only
// files below web/ are transformed, and only when a test loads them.

const WEB = new URL('../', import.meta.url).href;
const NOTHING = 'data:text/javascript,export default ""';
const isOfVite = (specifier: string): boolean => /\.css$|\?worker&url$/.test(specifier);

type Transform = typeof import('rolldown/utils')['transformSync'];
let transform: Transform | undefined;

/** The transformer of Vite, with which the pages are built. */
const loadTransform = (): Transform => {
  // Errors then show the lines of the sources.
  process.setSourceMapsEnabled(true);
  return createRequire(import.meta.url)('rolldown/utils').transformSync;
};

const compile = (url: string): string => {
  transform ??= loadTransform();
  const file = fileURLToPath(url);
  const { code, map, errors } = transform(file, readFileSync(file, 'utf8'), {
    sourcemap: true,
    jsx: { runtime: 'automatic' },
    define: { 'import.meta.env.BASE_URL': '"/"' },
  });
  if (errors.length > 0) throw new SyntaxError(errors.map(({ message }) => message).join('\n'));
  const encoded = Buffer.from(JSON.stringify(map)).toString('base64');
  // A module may look for the page when it is loaded. The query makes it run for each test file.
  const page = file.endsWith('.test.tsx') ? `import '${WEB}testing/use-page.ts?${encodeURI(file)}';` : '';
  return `${page}${code}\n//# sourceMappingURL=data:application/json;base64,${encoded}`;
};

registerHooks({
  resolve: (specifier, context, resolve) =>
    isOfVite(specifier) && context.parentURL?.startsWith(WEB)
      ? { url: NOTHING, shortCircuit: true }
      : resolve(specifier, context),
  load: (url, context, load) =>
    url.startsWith(WEB) && /\.tsx?$/.test(url) && !url.includes('/node_modules/')
      ? { format: 'module', source: compile(url), shortCircuit: true }
      : load(url, context),
});
