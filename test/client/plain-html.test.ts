import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { createTestBrowser } from '../browser/support/browser-test.ts';
import { startChromium } from '../browser/support/chromium.ts';
import { createEmptyProject, packPackage } from './frontend-project.ts';
import { startStaticServer } from './static-server.ts';

const DOCS = new URL('../../docs/frontends.md', import.meta.url);

describe('page of docs/frontends.md without a bundler', () => {
  it('leads to the sign-in, with the modules that its import map names', async () => {
    const text = await readFile(DOCS, 'utf8');
    const read = (language: string): string =>
      new RegExp(`\`\`\`${language}\n(.+?)\`\`\``, 's').exec(text)?.[1] ?? '';
    const project = await createEmptyProject();
    await project.write('package.json', '{ "private": true }');
    await project.npm('install', '--ignore-scripts', '--no-audit', '--no-fund', await packPackage('client'));
    const { origin } = await startStaticServer(project.directory);
    await project.write('index.html', read('html'));
    // The address of the sign-in is enough to see that the client runs.
    await project.write('shop.js', read('js').replace('http://localhost:3000', origin));
    const browser = await startChromium();
    const { open, allowErrors, unexpectedErrors } = await createTestBrowser({}, browser);
    allowErrors(/status of 404/);
    const page = await open(origin);
    await page.waitForURL(`${origin}/account/customer/sign-in?**`);
    expect(new URL(page.url()).searchParams.get('returnTo')).to.equal(`${origin}/`);
    expect(unexpectedErrors()).to.deep.equal([]);
    await browser.close();
  });
});
