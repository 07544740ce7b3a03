import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { waitFor } from '../shared/testing/poll.ts';

const SCRIPT = resolve(import.meta.dirname, '../deploy/backup.sh');
/** The Debian package installs server and client of one version here. */
const PACKAGES = '/usr/lib/postgresql';
const PASSWORD = 'a password of the tests';
const DAY_SECONDS = 24 * 3_600;

const findPrograms = (): string | undefined => {
  const versions = existsSync(PACKAGES) ? readdirSync(PACKAGES) : [];
  return versions
    .map((version) => join(PACKAGES, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_dump')));
};

/** PostgreSQL refuses to run as root. */
const readAccount = () => {
  if (process.getuid?.() !== 0) return undefined;
  const readId = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: readId('-u'), gid: readId('-g') };
};

/** The format is that of a dump's name. */
const timestamp = (): string => new Date().toISOString().slice(0, 19).replace(/[-:]/g, '');

const programs = findPrograms();

describe(`deploy/backup.sh${programs ? '' : ' (skipped: PostgreSQL is not installed)'}`, () => {
  let root: string;
  let dumps: string;
  let options: object;
  const run = async (command: string, ...args: string[]): Promise<string> =>
    (await promisify(execFile)(command, args, options)).stdout;
  const pg = (program: string, ...args: string[]) => run(join(programs ?? '', program), ...args);
  const control = (action: string, ...args: string[]) =>
    pg('pg_ctl', `--pgdata=${root}/data`, '--wait', `--log=${root}/log`, ...args, action);

  before(async function () {
    if (!programs) return this.skip();
    root = await mkdtemp(join(tmpdir(), 'backup-'));
    dumps = join(root, 'dumps');
    const [password, account] = [join(root, 'password'), readAccount()];
    await writeFile(password, `${PASSWORD}\n`);
    await chmod(root, 0o755);
    if (account) for (const path of [root, password]) await chown(path, account.uid, account.gid);
    const env = {
      PATH: `${programs}:${process.env['PATH']}`,
      // A socket in the folder, so that no other server can have its address.
      PGHOST: root,
      PGUSER: 'platform',
      PGDATABASE: 'postgres',
      PGPASSWORD_FILE: password,
    };
    options = { cwd: root, env, ...account };
    await pg(
      'initdb',
      `--pgdata=${root}/data`,
      '--username=platform',
      '-A',
      'scram-sha-256',
      `--pwfile=${password}`,
    );
    await control('start', `--options=-k ${root} -c listen_addresses='' -c fsync=off`);
  });
  after(async () => {
    if (!root) return;
    await control('stop', '--mode=immediate').catch(() => undefined);
    await rm(root, { recursive: true });
  });

  /** Runs the script until its output has the text. */
  const runUntil = async (text: string): Promise<string> => {
    const child = spawn('sh', [SCRIPT, dumps], options);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    try {
      await waitFor(`"${text}" in the output`, () => output.includes(text));
    } finally {
      child.kill();
    }
    return output;
  };
  const isHealthy = () =>
    run('sh', SCRIPT, dumps, '--check').then(
      () => true,
      () => false,
    );
  const makeOlder = async (name: string, days: number) => {
    const seconds = Date.now() / 1_000 - days * DAY_SECONDS;
    await utimes(join(dumps, name), seconds, seconds);
  };

  it('writes a dump that can be restored, readable for its owner only', async () => {
    expect(await isHealthy()).to.equal(false);
    const output = await runUntil('dumped');
    expect(output).not.to.include(PASSWORD);
    const [name = '', ...others] = await readdir(dumps);
    expect(others).to.deep.equal([]);
    expect(name).to.match(/^postgres-\d{8}T\d{6}Z\.dump$/);
    expect((await stat(join(dumps, name))).mode & 0o777).to.equal(0o600);
    expect(await pg('pg_restore', '--list', join(dumps, name))).to.include('Archive created at');
    expect(await isHealthy()).to.equal(true);
  });

  it('reports an old dump as unhealthy, and deletes it when the next one is complete', async () => {
    const [old = ''] = await readdir(dumps);
    await makeOlder(old, 8);
    await writeFile(join(dumps, 'interrupted.dump.partial'), '');
    expect(await isHealthy()).to.equal(false);
    await waitFor('another second, which is part of the name', () => !old.includes(timestamp()));
    await runUntil('dumped');
    const names = await readdir(dumps);
    expect(names).to.have.length(1).and.not.to.include(old);
  });

  it('keeps old dumps while the database is unreachable', async () => {
    await control('stop', '--mode=fast');
    const [name = ''] = await readdir(dumps);
    await makeOlder(name, 30);
    expect(await runUntil('the dump failed')).to.include('pg_dump: error: connection');
    expect(await readdir(dumps)).to.include(name);
    expect(await isHealthy()).to.equal(false);
  });
});
