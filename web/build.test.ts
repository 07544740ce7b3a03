import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { APPLICATIONS, buildApplication } from './build.ts';

/**
 * Gzipped kilobytes that the HTML names: what a browser loads before the first screen, but for settings and logo.
 * A list of the console adds its own. The messages of the API's errors follow, and nothing waits for them.
 */
const LIMITS = { console: 128, account: 111 };

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

  for (const application of APPLICATIONS) {
    it(`loads at most ${LIMITS[application]} kB for the first screen: ${application}`, async () => {
      const html = await readIndex(application);
      const paths = [...html.matchAll(/\/(assets\/[\w-]+\.(?:js|css))/g)].map(([, path = '']) => path);
      expect(paths.filter((path) => path.endsWith('.css'))).to.have.length(1);
      expect(paths.length).to.be.at.least(2);
      const files = ['index.html', ...paths];
      const contents = await Promise.all(files.map((path) => readFile(join(directory, application, path))));
      const kilobytes = contents.reduce((sum, file) => sum + gzipSync(file).length, 0) / 1_000;
      expect(kilobytes).to.be.at.most(LIMITS[application]);
    });

    it(`has no inline script or style, and loads from its own origin only: ${application}`, async () => {
      const html = await readIndex(application);
      expect(html).not.to.match(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|javascript:/i);
      for (const [, address] of html.matchAll(/\s(?:src|href)="([^"]*)"/g))
        expect(address).to.match(new RegExp(`^/${application}/`));
    });
  }
});
