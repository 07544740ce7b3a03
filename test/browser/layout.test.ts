import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { browserTest, DESKTOP, PHONE, saveScreenshot } from './support/browser-test.ts';
import { getPlatform } from './support/platform.ts';

const SIZES = [
  ['desktop', DESKTOP],
  ['phone', PHONE],
] as const;

/** The texts of the elements whose text has more than one line. */
const findBroken = (page: Page, selector: string): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('${selector}')].filter((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size > 1;
  }).map(({ textContent }) => textContent)`);

const expectNoOverflow = async (page: Page): Promise<void> => {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0);
};

for (const [size, options] of SIZES)
  describe(`layout on a ${size}`, () => {
    const layoutTest = (test: (page: Page) => Promise<void>) =>
      browserTest(async (openBrowser) => {
        const { open } = await openBrowser(options);
        await test(await open('about:blank'));
      });

    it(
      'the errors page breaks no code, rule, status or heading',
      layoutTest(async (page) => {
        await page.goto(`${getPlatform().gatewayUrl}/api/errors.html`);
        expect(await findBroken(page, 'tbody th code, thead th')).to.deep.equal([]);
        expect(await findBroken(page, 'td[data-label=Status]')).to.deep.equal([]);
        expect(await page.getByText('PLATFORM_ROLE_INVALID').count()).to.equal(1);
        await expectNoOverflow(page);
        await saveScreenshot(page, `errors on ${size}`);
      }),
    );

    it(
      'the filter of the API pages is as wide as the operations',
      layoutTest(async (page) => {
        for (const path of ['/api/', '/api/v1/docs/']) {
          await page.goto(getPlatform().gatewayUrl + path);
          const tag = await page.locator('.opblock-tag').first().boundingBox();
          const filter = await page.locator('.operation-filter-input').boundingBox();
          expect(filter?.width).to.equal(tag?.width);
        }
      }),
    );

    it(
      'the empty inbox has its text in the middle, without the frame of the list',
      layoutTest(async (page) => {
        const { inboxUrl } = getPlatform();
        await fetch(`${inboxUrl}/api/email/all`, { method: 'DELETE' });
        await page.goto(inboxUrl);
        const text = page.getByText('No mail yet.');
        await text.waitFor();
        const [main, box] = [await page.locator('main').boundingBox(), await text.boundingBox()];
        const toMiddle = (area: typeof main, at: 'x' | 'y', length: 'width' | 'height') =>
          area ? area[at] + area[length] / 2 : Number.NaN;
        expect(toMiddle(box, 'x', 'width')).to.be.closeTo(toMiddle(main, 'x', 'width'), 2);
        // On a phone, it is below the header, like a first mail.
        if (size === 'desktop')
          expect(toMiddle(box, 'y', 'height')).to.be.closeTo(toMiddle(main, 'y', 'height'), 2);
        expect(await page.locator('#mails').isVisible()).to.equal(false);
        expect(await page.getByRole('button', { name: 'Empty' }).isEnabled()).to.equal(false);
        await saveScreenshot(page, `empty inbox on ${size}`);
      }),
    );

    it(
      'the address of the OpenID provider shows its accounts',
      layoutTest(async (page) => {
        await page.goto(getPlatform().oidcIssuer);
        await page.getByRole('heading', { name: 'OpenID provider' }).waitFor();
        expect(await page.getByText('customer@example.com').isVisible()).to.equal(true);
        await expectNoOverflow(page);
      }),
    );
  });
