// A shop on another host of the same site, over https as in production: the gateway and the shop stand behind
// proxies that end TLS.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasOpenssl } from '@platform/shared/testing/certificates';
import { waitFor } from '@platform/shared/testing/poll';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import {
  ENGLISH,
  GERMAN,
  openPage,
  REJECTED,
  readPolicyViolations,
  signIn,
  waitForHeading,
} from '../console/console-tab.ts';
import { browserTest, type TestBrowser } from '../support/browser-test.ts';
import { startChromiumWithProfile } from '../support/chromium.ts';
import { startFrontend } from '../support/frontend-server.ts';
import { startTlsProxy } from '../support/tls-proxy.ts';

const CUSTOMER = { email: 'customer@example.com', password: 'Password123!' };

/** The cookies of both hosts, without their values. */
const listCookies = async (context: BrowserContext): Promise<string[]> =>
  (await context.cookies())
    .map(({ name, domain, secure, httpOnly, expires }) =>
      [domain, name, secure && 'secure', httpOnly && 'httpOnly', expires > 0 && 'lasting']
        .filter(Boolean)
        .join(' '),
    )
    .sort();
const OF_BROWSER = ['id.market.test browser-session secure', 'shop.market.test browser-session secure'];
const REFRESH = 'id.market.test CustomerRefreshToken secure httpOnly lasting';

describe('shop on another host of the same site over https', () => {
  let running: RunningStack | undefined;
  let close: (() => Promise<unknown>)[] = [];
  let [platformUrl, shopUrl] = ['', ''];

  before('start a platform and a shop behind TLS', async function () {
    if (!hasOpenssl()) this.skip();
    let gatewayPort = '';
    const platform = await startTlsProxy(() => gatewayPort);
    const frontend = await startFrontend(() => platformUrl);
    const shop = await startTlsProxy(() => String(frontend.port));
    close = [platform.close, frontend.close, shop.close];
    platformUrl = `https://id.market.test:${platform.port}`;
    shopUrl = `https://shop.market.test:${shop.port}`;
    running = await startStack({
      SEED_DEMO: '',
      PAGES: 'on',
      PUBLIC_URL: platformUrl,
      CORS_ORIGINS: shopUrl,
      ACCOUNT_RETURN_ORIGINS: shopUrl,
    });
    gatewayPort = new URL(running.stack.gatewayUrl).port;
  });
  after('stop both', async () => {
    await running?.stop();
    await Promise.all(close.map((end) => end()));
  });

  const open = async (openBrowser: Parameters<Parameters<typeof browserTest>[0]>[0]) => {
    const browser: TestBrowser = await openBrowser({ ...ENGLISH, ignoreHTTPSErrors: true });
    browser.allowErrors(REJECTED);
    return browser;
  };
  const waitForUser = (page: Page) => page.getByRole('heading', { name: CUSTOMER.email }).waitFor();

  it(
    'is signed in by the pages, stays so after a reload, and is signed out everywhere',
    browserTest(async (openBrowser) => {
      const browser = await open(openBrowser);
      const shop = await browser.open(`${shopUrl}/returning`);
      await waitForHeading(shop, 'Sign in');
      expect(new URL(shop.url()).origin).to.equal(platformUrl);
      await signIn(shop, CUSTOMER);
      await waitForUser(shop);
      expect(shop.url(), 'without fingerprint and state').to.equal(`${shopUrl}/returning`);
      expect(await listCookies(browser.context)).to.deep.equal([REFRESH, ...OF_BROWSER]);
      await shop.reload();
      await waitForUser(shop);
      const account = await openPage(browser, `${platformUrl}/account/customer/`);
      await waitForHeading(account, 'Your account');
      await shop.getByRole('button', { name: 'Sign out' }).click();
      await shop.waitForURL(`${shopUrl}/goodbye.html`);
      expect(await listCookies(browser.context)).to.deep.equal(OF_BROWSER);
      await account.reload();
      await account.getByRole('heading', { name: /^Sign in/ }).waitFor();
      expect(await readPolicyViolations(account)).to.deep.equal([]);
    }),
  ).timeout(300_000);

  it(
    'refuses the state of a stranger',
    browserTest(async (openBrowser) => {
      const browser = await open(openBrowser);
      const shop = await browser.open(`${shopUrl}/returning`);
      await waitForHeading(shop, 'Sign in');
      const own = shop.url();
      const foreign = new URL(own);
      foreign.searchParams.set('state', '0f1e2d3c4b5a69788796a5b4c3d2e1f0');
      await shop.goto(foreign.href);
      await signIn(shop, CUSTOMER);
      // The shop takes no session over, so it sends the person to the sign-in page again, with its own state.
      await shop.waitForURL(own);
    }),
  ).timeout(300_000);

  const languages = [
    [ENGLISH, 'Stay signed in on this device', 'You were signed out because the browser was closed.'],
    [
      GERMAN,
      'Auf diesem Gerät angemeldet bleiben',
      'Sie wurden abgemeldet, weil der Browser geschlossen wurde.',
    ],
  ] as const;
  for (const [options, stay, closed] of languages)
    it(
      `is signed out with the account pages when the browser is closed, unless the person stays (${options.locale})`,
      browserTest(async () => {
        const profile = await mkdtemp(join(tmpdir(), 'profile-'));
        const inBrowser = async (work: (page: Page, context: BrowserContext) => Promise<unknown>) => {
          const context = await startChromiumWithProfile(profile, { ...options, ignoreHTTPSErrors: true });
          try {
            await work(await context.newPage(), context);
          } finally {
            await context.close();
          }
        };
        const goToShop = (page: Page) => page.goto(`${shopUrl}/returning`);
        const signInAtShop = async (page: Page) => {
          await goToShop(page);
          await page.locator('input[name=email]').fill(CUSTOMER.email);
          await page.locator('input[name=password]').fill(CUSTOMER.password);
          await page.keyboard.press('Enter');
          await waitForUser(page);
        };
        await inBrowser(signInAtShop);
        await inBrowser(async (page, context) => {
          await page.goto(`${platformUrl}/account/customer/`);
          await page.getByText(closed).waitFor();
          expect(await page.locator('input[name=email]').inputValue()).to.equal('');
          await waitFor('the end of the session', async () => (await listCookies(context)).length === 0);
          await signInAtShop(page);
        });
        await inBrowser(async (page) => {
          await goToShop(page);
          await page.getByText(closed).waitFor();
          await page.getByLabel(stay).check();
          await signInAtShop(page);
        });
        await inBrowser(async (page) => {
          await page.goto(`${platformUrl}/account/customer/`);
          await page.getByText(CUSTOMER.email).first().waitFor();
          await goToShop(page);
          await waitForUser(page);
        });
        await rm(profile, { recursive: true, force: true });
      }),
    ).timeout(300_000);
});
