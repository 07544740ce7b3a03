// A shop on another origin of the same site, over https as in production: the gateway and the shop stand behind
// proxies that end TLS.
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import { createCertificates, hasOpenssl } from '@platform/shared/testing/certificates';
import { listenLocally } from '@platform/shared/testing/local-server';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  ENGLISH,
  openPage,
  REJECTED,
  readPolicyViolations,
  signIn,
  waitForHeading,
} from '../console/console-tab.ts';
import { browserTest, type TestBrowser } from '../support/browser-test.ts';
import { startFrontend } from '../support/frontend-server.ts';

const CUSTOMER = { email: 'customer@example.com', password: 'Password123!' };

type Tls = { cert: Buffer; key: Buffer };

/** Passes every request on to the port, with the host that the browser named. */
const createTlsProxy = (tls: Tls, getPort: () => string): Server =>
  createServer(tls, (req, res) => {
    const { method, url, headers } = req;
    const passed = request({ host: '127.0.0.1', port: getPort(), method, path: url, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    passed.on('error', () => res.destroy());
    req.pipe(passed);
  });

describe('shop on another origin of the same site over https', () => {
  let running: RunningStack | undefined;
  let close: (() => Promise<unknown>)[] = [];
  let [platformUrl, shopUrl] = ['', ''];

  before('start a platform and a shop behind TLS', async function () {
    if (!hasOpenssl()) this.skip();
    const certificates = await createCertificates();
    const [cert, key] = await Promise.all([readFile(certificates.certificate), readFile(certificates.key)]);
    let gatewayPort = '';
    const platform = await listenLocally(createTlsProxy({ cert, key }, () => gatewayPort));
    const frontend = await startFrontend(() => platformUrl);
    const shop = await listenLocally(createTlsProxy({ cert, key }, () => String(frontend.port)));
    close = [platform.close, frontend.close, shop.close, certificates.remove];
    platformUrl = `https://127.0.0.1:${platform.port}`;
    shopUrl = `https://127.0.0.1:${shop.port}`;
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
      const cookies = await browser.context.cookies();
      expect(cookies.map(({ name, secure, httpOnly }) => [name, secure, httpOnly])).to.deep.equal([
        ['CustomerRefreshToken', true, true],
      ]);
      await shop.reload();
      await waitForUser(shop);
      const account = await openPage(browser, `${platformUrl}/account/customer/`);
      await waitForHeading(account, 'Your account');
      await shop.getByRole('button', { name: 'Sign out' }).click();
      await shop.waitForURL(`${shopUrl}/goodbye.html`);
      expect(await browser.context.cookies()).to.deep.equal([]);
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
});
