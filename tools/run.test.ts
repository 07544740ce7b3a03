import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';

const ROOT = resolve(import.meta.dirname, '..');

type Packages = Record<string, { integrity?: string; optional?: boolean }>;

/** The packages in the lock file, and the installed ones; `undefined` as after an interrupted `npm ci`. */
type Installation = { lock: Packages; installed: Packages | undefined };

describe('run.mjs', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'run-'));
    copyFileSync(join(ROOT, 'run.mjs'), join(directory, 'run.mjs'));
    mkdirSync(join(directory, 'node_modules'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const install = ({ lock, installed }: Installation): void => {
    const lockFile = join(directory, 'package-lock.json');
    writeFileSync(lockFile, JSON.stringify({ packages: { '': {}, ...lock } }));
    if (installed === undefined) return;
    writeFileSync(
      join(directory, 'node_modules/.package-lock.json'),
      JSON.stringify({ packages: installed }),
    );
    const seconds = Date.now() / 1_000 + 60;
    utimesSync(lockFile, seconds, seconds);
  };
  const run = (source: string) => {
    writeFileSync(join(directory, 'entry.ts'), source);
    const { status, stdout, stderr } = spawnSync(process.execPath, ['run.mjs', 'entry.ts', 'one'], {
      cwd: directory,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };

  const chai = { 'node_modules/chai': { integrity: 'sha512-a' } };
  const printArguments = 'const text: string = process.argv.slice(2).join(); console.log(text);';
  const success = { status: 0, stdout: 'one\n', stderr: '' };

  it('runs the entry point with its arguments', () => {
    install({ lock: chai, installed: chai });
    expect(run(printArguments)).to.deep.equal(success);
  });

  it('prints in one sentence that the packages are not installed', () => {
    const expected = {
      status: 1,
      stdout: '',
      stderr: 'The packages are not installed, or only some of them: run `npm ci`.\n',
    };
    install({ lock: chai, installed: undefined });
    expect(run(printArguments), 'interrupted npm ci').to.deep.equal(expected);
    rmSync(join(directory, 'node_modules'), { recursive: true });
    expect(run(printArguments), 'no npm ci').to.deep.equal(expected);
  });

  it('warns when the installed packages are not those of package-lock.json', () => {
    const warning = 'The installed packages do not match package-lock.json: run `npm ci`.\n';
    const outdated = [{}, { 'node_modules/chai': { integrity: 'sha512-b' } }];
    for (const installed of outdated) {
      install({ lock: chai, installed });
      expect(run(printArguments)).to.deep.equal({ ...success, stderr: warning });
    }
  });

  it('ends a script of npm when the shell that npm has started is killed', async function () {
    if (process.platform === 'win32') this.skip();
    install({ lock: {}, installed: {} });
    const source = `
      const timer = setInterval(() => undefined, 1_000);
      process.on('SIGTERM', () => { console.log('stopped'); clearInterval(timer); });
      console.log('started');`;
    writeFileSync(join(directory, 'entry.ts'), source);
    // The last command keeps the shell from replacing itself by Node.
    const shell = spawn('sh', ['-c', `"${process.execPath}" run.mjs entry.ts; true`], {
      cwd: directory,
      env: { ...process.env, npm_lifecycle_event: 'start' },
    });
    let output = '';
    shell.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output === 'started\n') shell.kill('SIGTERM');
    });
    await once(shell.stdout, 'close'); // Node holds it until it ends
    expect(output).to.equal('started\nstopped\n');
  });

  it('names a package that is missing', () => {
    install({ lock: {}, installed: {} });
    expect(run("import 'chai';")).to.deep.equal({
      status: 1,
      stdout: '',
      stderr: 'The package chai is not installed: run `npm ci`.\n',
    });
  });

  it('asks for Node 26 when only an older version is installed', () => {
    install({ lock: {}, installed: {} });
    writeFileSync(
      join(directory, 'old.mjs'),
      "Object.defineProperty(process.versions, 'node', { value: '20.19.0' });",
    );
    writeFileSync(join(directory, 'entry.ts'), '');
    const { status, stderr } = spawnSync(process.execPath, ['--import', './old.mjs', 'run.mjs', 'entry.ts'], {
      cwd: directory,
      encoding: 'utf8',
    });
    expect(status).to.equal(1);
    expect(stderr).to.match(/^This project requires Node 26.* only Node 20\.19\.0 was found\. .*npm ci.*\n$/);
  });
});
