import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { compileSnippets, readExamples } from './compile-snippets.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const DEPENDENCIES = ['openapi-fetch', 'openapi-typescript-helpers'];

const USE = `
import { createPlatformClient } from '@platform/client/platform-client';
const client = createPlatformClient({ gatewayUrl: 'https://api.example.com', kind: 'customer' });
console.log(client.isSignedIn());
`;

describe('packed client', function () {
  this.timeout(60_000);
  let directory: string;
  let modules: string;
  before('install the package', async () => {
    directory = await realpath(await mkdtemp(join(tmpdir(), 'packed-client-')));
    modules = join(directory, 'node_modules');
    const client = join(modules, '@platform/client');
    await mkdir(client, { recursive: true });
    execFileSync(process.execPath, [join(ROOT, 'openapi/client/run-pack.ts'), directory], { stdio: 'pipe' });
    execFileSync('tar', [
      '-xzf',
      join(directory, 'platform-client-0.1.0.tgz'),
      '--strip-components=1',
      '-C',
      client,
    ]);
    for (const name of DEPENDENCIES)
      await symlink(join(ROOT, 'node_modules', name), join(modules, name), 'junction');
  });
  after(() => rm(directory, { recursive: true, force: true }));

  it('has types: the README compiles, and a misspelt field does not', async () => {
    const wrong = `${USE} client.POST('/contact/lead', { body: { name: 'Ada', email: 'a@b.c', compny: 'Engines' } });`;
    const errors = await compileSnippets({ readme: await readExamples(), wrong }, 'typescript', modules);
    expect(errors['readme']).to.equal('');
    expect(errors['wrong']).to.match(/error TS\d+.*compny/);
  });

  it('is plain JavaScript', () => {
    const script = ['--input-type=module', '--no-strip-types', '--eval', USE];
    expect(execFileSync(process.execPath, script, { cwd: directory }).toString()).to.equal('false\n');
  });
});
