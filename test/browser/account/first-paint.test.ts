import { expect } from 'chai';
import { openPage, pageUrl } from '../console/console-tab.ts';
import { browserTest } from '../support/browser-test.ts';

/** Adds up how far elements have moved, as browsers count it. */
const COUNT_SHIFTS = `
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.shifts += value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

describe('first paint of the sign-in page', () => {
  it(
    'has the card and the name of the product before the script has run',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser();
      browser.allowErrors(/net::ERR_FAILED/);
      await browser.context.route('**/assets/*.js', (route) => route.abort());
      const page = await openPage(browser, '/account/customer/sign-in');
      await page.locator('.sign-in-card .product-name', { hasText: 'Marketplace' }).waitFor();
      expect(await page.locator('.product-mark').innerText()).to.equal('M');
      expect(await page.locator('h1').count()).to.equal(0);
    }),
  );

  it(
    'moves nothing when the form takes its place, on a slow network',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser();
      const page = await browser.context.newPage();
      await page.addInitScript(COUNT_SHIFTS);
      const devtools = await browser.context.newCDPSession(page);
      await devtools.send('Network.enable');
      const throughput = (400 * 1_024) / 8;
      await devtools.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 300,
        downloadThroughput: throughput,
        uploadThroughput: throughput,
      });
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      await page.goto(pageUrl('/account/customer/sign-in'), { waitUntil: 'commit' });
      await page.locator('input[name=email]').waitFor({ timeout: 60_000 });
      await page.waitForLoadState('networkidle');
      expect(await page.evaluate('window.shifts')).to.equal(0);
    }),
  ).timeout(120_000);
});
