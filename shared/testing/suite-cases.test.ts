import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { expect } from 'chai';
import { hashCases } from './suite-cases.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const MAIN = "import { paths } from './paths.ts';\nfor (const path of paths) check(path, 'is 404', 10);\n";

describe('hash of the cases of a suite', () => {
  let folder: string;
  /** The hash of a suite with these files. */
  const hash = async (main: string, paths: string): Promise<string> => {
    await writeFile(join(folder, 'main.ts'), main);
    await writeFile(join(folder, 'paths.ts'), paths);
    return hashCases(relative(ROOT, join(folder, 'main.ts')));
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'suite-cases-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('changes with a case, also in an imported file, and with a number', async () => {
    const before = await hash(MAIN, "export const paths = ['/a'];\n");
    expect(await hash(MAIN, "export const paths = ['/a', '/b'];\n")).not.to.equal(before);
    expect(await hash(MAIN.replace('404', '403'), "export const paths = ['/a'];\n")).not.to.equal(before);
    expect(await hash(MAIN.replace('10', '20'), "export const paths = ['/a'];\n")).not.to.equal(before);
  });

  it('stays the same when names, comments and the order change', async () => {
    const before = await hash(MAIN, "export const paths = ['/a', '/b'];\n");
    const renamed = `// Every path.\n${MAIN.replace(/\bpath\b/g, 'each')}`;
    expect(await hash(renamed, "export const paths = ['/b', '/a'];\n")).to.equal(before);
  });

  it('contains the operations of the contract for a suite that generates requests from it', async () => {
    const without = await hash("import './paths.ts';\n", '');
    await writeFile(join(folder, 'openapi-operations.ts'), '');
    expect(await hash("import './openapi-operations.ts';\n", '')).not.to.equal(without);
  });
});
