import { mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { installPackage } from './install-package.ts';

const PACKAGE = { name: 'foreign-tools', version: '1.0.0' };

/** A port that refuses connections. */
const findClosedPort = (): Promise<number> =>
  new Promise((resolvePort) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolvePort(typeof address === 'object' && address ? address.port : 0));
    });
  });

describe('package with its own lock file', () => {
  let directory: string;

  const writeJson = (name: string, content: object): Promise<void> =>
    writeFile(join(directory, name), JSON.stringify(content));

  /** A package with one dependency. */
  const writePackage = async (version: string, locked: Record<string, object>): Promise<void> => {
    const root = { ...PACKAGE, dependencies: { tool: version } };
    await writeJson('package.json', root);
    await writeJson('package-lock.json', {
      ...PACKAGE,
      lockfileVersion: 3,
      requires: true,
      packages: { '': root, ...locked },
    });
  };

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'install-package-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('is installed once, and again after a change of the lock file', async () => {
    await mkdir(join(directory, 'tool'));
    await writeJson('tool/package.json', { name: 'tool', version: '1.2.3' });
    await writePackage('file:tool', {
      tool: { version: '1.2.3' },
      'node_modules/tool': { resolved: 'tool', link: true },
    });
    await installPackage(directory);
    const installed = join(directory, 'node_modules/tool/package.json');
    expect(JSON.parse(await readFile(installed, 'utf8'))).to.include({ version: '1.2.3' });

    const marker = join(directory, 'node_modules/marker');
    await writeFile(marker, '');
    await installPackage(pathToFileURL(`${directory}/`));
    await stat(marker);

    const later = new Date(Date.now() + 60_000);
    await utimes(join(directory, 'package-lock.json'), later, later);
    await installPackage(directory);
    await stat(marker).then(
      () => expect.fail('node_modules was not replaced'),
      (error) => expect(error.code).to.equal('ENOENT'),
    );
  });

  it('names the package and the reason in one line when the registry cannot be reached', async () => {
    const resolved = `http://127.0.0.1:${await findClosedPort()}/tool-1.2.3.tgz`;
    await writeFile(join(directory, '.npmrc'), 'fetch-retries=0\n');
    await writePackage('1.2.3', { 'node_modules/tool': { version: '1.2.3', resolved } });
    const message = await installPackage(directory).then(
      () => '',
      (error: Error) => error.message,
    );
    expect(message).to.match(
      /^Cannot install the packages of \S+install-package-\S+: the npm registry cannot be reached \(ECONNREFUSED\)\. /,
    );
    expect(message).not.to.include('\n');
  });
});
