import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { APPLICATIONS, buildApplication } from './build.ts';

/**
 * Budgets in kilobytes (1,000 bytes, gzip of level 9) of index.html, scripts and sheets; settings, logo and API
 * responses are not counted. Each is 3 % above what was measured last, so that a small change does not break it: if
 * it does, look for what has come into the first screen before you raise it.
 */
const BUDGETS = {
  console: {
    /** The files that the HTML names, which a browser loads before the first screen. Measured: 119.1. */
    firstScreen: 123,
    /** The files until the overview stands still, with nothing pressed but "Sign in". Measured: 150.9. */
    firstVisit: 155,
    /** The prefixes of the files that a first visit loads besides. */
    later: ['messages-de', 'passkeys', 'shared', 'overview'],
  },
  account: {
    /** As above. Measured: 100.1. */
    firstScreen: 103,
    /** The files until the sign-in page stands still: it loads the messages of errors, and passkeys for its field. Measured: 107.0. */
    firstVisit: 110,
    later: ['messages-de', 'passkeys'],
  },
};

describe('build of the pages', () => {
  let directory: string;
  const { NODE_ENV } = process.env;
  before('build', async () => {
    directory = await mkdtemp(join(tmpdir(), 'pages-'));
    for (const application of APPLICATIONS) await buildApplication(application, directory);
  });
  after('remove the build', () => rm(directory, { recursive: true, force: true }));
  after('let later tests of this worker load React with `act`, which Vite has switched off', () => {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  });

  const readIndex = (application: string) => readFile(join(directory, application, 'index.html'), 'utf8');

  const listNamed = async (application: string): Promise<string[]> => {
    const html = await readIndex(application);
    return [...html.matchAll(/\/assets\/([\w-]+\.(?:js|css))/g)].map(([, name = '']) => name);
  };

  /** The files, and those that they import. */
  const withImports = async (application: string, names: string[]): Promise<Set<string>> => {
    const found = new Set(names);
    // A set also goes through what is added meanwhile.
    for (const name of found) {
      const code = await readFile(join(directory, application, 'assets', name), 'utf8');
      for (const [, imported = ''] of code.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g))
        found.add(imported);
    }
    return found;
  };

  const countKilobytes = async (application: string, names: Iterable<string>): Promise<number> => {
    const paths = ['index.html', ...[...names].map((name) => `assets/${name}`)];
    const contents = await Promise.all(paths.map((path) => readFile(join(directory, application, path))));
    return contents.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0) / 1_000;
  };

  it('has a description, which chats show beside a link, and keeps out of search engines', async () => {
    const html = await readIndex('account');
    expect(html).to.match(/<meta name="description" content="\{\{productName\}\}[^"]+">/);
    expect(html).to.include('<meta name="robots" content="noindex">');
  });

  for (const application of APPLICATIONS) {
    const { firstScreen, firstVisit, later } = BUDGETS[application];

    it(`loads at most ${firstScreen} kB for the first screen: ${application}`, async () => {
      const names = await listNamed(application);
      expect(names.filter((name) => name.endsWith('.css'))).to.have.length(1);
      expect(names.length).to.be.at.least(2);
      expect(await countKilobytes(application, names)).to.be.at.most(firstScreen);
    });

    it(`loads at most ${firstVisit} kB in a first visit: ${application}`, async () => {
      const built = await readdir(join(directory, application, 'assets'));
      const files = later.map((prefix) => built.filter((name) => name.startsWith(`${prefix}-`)));
      for (const names of files) expect(names).not.to.deep.equal([]);
      const all = await withImports(application, [...(await listNamed(application)), ...files.flat()]);
      expect(await countKilobytes(application, all)).to.be.at.most(firstVisit);
    });

    it(`has no inline script or style, and loads from its own origin only: ${application}`, async () => {
      const html = await readIndex(application);
      expect(html).not.to.match(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|javascript:/i);
      for (const [, address] of html.matchAll(/\s(?:src|href)="([^"]*)"/g))
        expect(address).to.match(new RegExp(`^/${application}/`));
    });
  }
});
