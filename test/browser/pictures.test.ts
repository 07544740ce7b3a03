import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import { browserTest } from './support/browser-test.ts';
import { PICTURE_FOLDER, PICTURE_OPTIONS, PICTURES } from './support/pictures.ts';

describe('pictures of the documentation', () => {
  it('equal those that npm run screenshots takes', async () => {
    const names = Object.keys(PICTURES).map((name) => `${name}.png`);
    expect(await readdir(PICTURE_FOLDER)).to.have.members(names);
  });

  for (const [name, show] of Object.entries(PICTURES))
    it(
      `can be taken of the current pages: ${name}`,
      browserTest(async (openBrowser) => {
        const page = await show(await openBrowser(PICTURE_OPTIONS));
        expect(await page.locator('body').innerText()).not.to.match(/Loading…|Loading\.\.\.|eyJ[\w-]+\./);
      }),
    );
});
