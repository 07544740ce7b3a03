import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { browserTest, type OpenBrowser } from '../support/browser-test.ts';
import { withRecords } from './back-office-records.ts';
import { consoleUrl, createColleague, ENGLISH, openConsole, signIn, waitForHeading } from './console-tab.ts';

/** Milliseconds from one key to the next, of people who type fast and slowly. */
const PACES = [60, 90, 120];
/** Contains keys that assign a request, mark it as done, and write a note or a reply. */
const NAME = 'amelia brenner';

/** A tab of an administrator in which each response takes 150 ms, as over a mobile network. */
const openSlowly = async (openBrowser: OpenBrowser) => {
  const browser = await openBrowser(ENGLISH);
  const page = await openConsole(browser);
  await signIn(page, await createColleague('ADMIN'));
  await waitForHeading(page, 'Overview');
  const devTools = await browser.context.newCDPSession(page);
  const unlimited = { downloadThroughput: -1, uploadThroughput: -1 };
  await devTools.send('Network.enable');
  await devTools.send('Network.emulateNetworkConditions', { offline: false, latency: 150, ...unlimited });
  const writes: string[] = [];
  page.on('request', (request) => {
    if (!['GET', 'HEAD'].includes(request.method())) writes.push(`${request.method()} ${request.url()}`);
  });
  return { page, writes };
};

const openRequest = async (page: Page): Promise<void> => {
  const id = await withRecords((records) => records.contactRequest());
  await page.goto(consoleUrl(`contact-requests?request=${id}`));
  await page.getByRole('button', { name: 'Done and next' }).waitFor();
};

const WAYS: Record<string, (page: Page) => Promise<void>> = {
  'Ctrl K': (page) => page.keyboard.press('Control+k'),
  'the button': (page) => page.locator('.palette-button').first().click(),
};

describe('keys before a dialog of the console is there', () => {
  for (const isCached of [false, true])
    for (const [way, open] of Object.entries(WAYS))
      it(
        `are typed into the search after ${way}, ${isCached ? 'with' : 'without'} its file in the cache`,
        browserTest(async (openBrowser) => {
          const { page, writes } = await openSlowly(openBrowser);
          // Otherwise the file is fetched as soon as the page is idle.
          if (!isCached) await page.addInitScript('window.requestIdleCallback = () => 0');
          for (const delay of PACES) {
            await openRequest(page);
            if (isCached) await page.waitForLoadState('networkidle');
            writes.length = 0;
            await open(page);
            await page.keyboard.type(NAME, { delay });
            const field = page.getByRole('combobox', { name: 'Search everything' });
            expect(await field.inputValue(), `one key in ${delay} ms`).to.equal(NAME);
            expect(writes, 'what acted on the request').to.deep.equal([]);
          }
        }),
      );

  it(
    'do nothing to a request after ?, nor when the help has lost the focus',
    browserTest(async (openBrowser) => {
      const { page, writes } = await openSlowly(openBrowser);
      await openRequest(page);
      writes.length = 0;
      await page.keyboard.press('?');
      await page.keyboard.type(NAME, { delay: 60 });
      const dialog = page.getByRole('dialog', { name: 'Shortcuts' });
      expect(writes, 'before the help was there').to.deep.equal([]);
      await dialog.getByRole('heading', { name: 'Everywhere' }).click();
      await page.keyboard.type(NAME, { delay: 60 });
      expect(writes, 'over the help').to.deep.equal([]);
    }),
  );
});
