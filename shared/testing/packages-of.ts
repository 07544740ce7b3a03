import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Imports modules, named from the root, in a process of its own; the npm packages that came with them. */
export const packagesOf = async (...modules: string[]): Promise<string[]> => {
  const script = `
    import { registerHooks } from 'node:module';
    const found = new Set();
    registerHooks({ load: (url, context, next) => {
      const name = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1];
      if (name) found.add(name);
      return next(url, context);
    } });
    for (const module of ${JSON.stringify(modules)}) await import('${ROOT}' + module);
    console.log(JSON.stringify([...found]));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  return JSON.parse(stdout) as string[];
};
