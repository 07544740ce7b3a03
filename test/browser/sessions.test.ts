import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import type { BrowserContext, Page, Request, Route } from 'playwright-core';
import { browserTest, type TestBrowser } from './support/browser-test.ts';
import { createFrontendPage } from './support/frontend-page.ts';
import { ACCESS_SECONDS, getPlatform, REFRESH_SECONDS } from './support/platform.ts';

const REFRESH = '/api/v1/customers/auth/refresh/token';
const COOKIE = 'CustomerRefreshToken';
/** Chromium logs an error for every response with a status of 400 or above. */
const UNAUTHORIZED = /Failed to load resource: the server responded with a status of 401/;

const createAccount = () => createAuthClient(getPlatform().gatewayUrl, CUSTOMER).createAccount();

const open = async (browser: TestBrowser, url = getPlatform().origins.allowed) => {
  const page = await browser.open(url);
  return { page, frontend: createFrontendPage(page) };
};

/** Opens a tab and signs in as a new customer. */
const openSignedIn = async (browser: TestBrowser, url?: string) => {
  const account = await createAccount();
  const tab = await open(browser, url);
  expect(await tab.frontend.signIn(account)).to.equal(account.email);
  return { ...tab, account };
};

const recordAuthorizations = (context: BrowserContext): string[] => {
  const tokens: string[] = [];
  context.on('request', (request) => {
    const { authorization } = request.headers();
    if (authorization) tokens.push(authorization);
  });
  return tokens;
};

const recordRefreshes = (context: BrowserContext): Request[] => {
  const requests: Request[] = [];
  context.on('request', (request) => {
    if (request.method() === 'GET' && new URL(request.url()).pathname === REFRESH) requests.push(request);
  });
  return requests;
};

/** Holds the first refresh until the second one is sent, so that both send the same cookie. */
const synchronizeRefreshes = async (context: BrowserContext) => {
  const waiting: Route[] = [];
  const url = `**${REFRESH}`;
  await context.route(url, async (route) => {
    waiting.push(route);
    if (waiting.length === 2) await Promise.all(waiting.map((held) => held.continue()));
    if (waiting.length > 2) await route.continue();
  });
  return () => context.unroute(url);
};

/** Records the error codes of failed refreshes. */
const recordRefreshErrors = (context: BrowserContext) => {
  const codes: Promise<string>[] = [];
  context.on('response', (response) => {
    if (new URL(response.url()).pathname === REFRESH && response.status() >= 400)
      codes.push(response.json().then(({ code }) => code));
  });
  return () => Promise.all(codes);
};

/** Polls the gateway until it rejects the access token. */
const waitUntilExpired = (authorization = '') =>
  waitFor(
    'the access token has expired',
    async () => {
      const response = await fetch(`${getPlatform().gatewayUrl}/api/v1/auth/me`, {
        headers: { Authorization: authorization },
      });
      return response.status === 401;
    },
    ACCESS_SECONDS * 3,
  );

const readDocumentCookie = (page: Page): Promise<string> => page.evaluate('document.cookie');

describe('sessions of a frontend on another origin', () => {
  it(
    'stores the refresh cookie at sign-in and hides it from scripts',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser();
      const { page } = await openSignedIn(browser);
      const [cookie, ...others] = await browser.context.cookies();
      expect(others).to.deep.equal([]);
      expect(cookie).to.include({ name: COOKIE, httpOnly: true, secure: true, sameSite: 'None', path: '/' });
      expect(cookie?.domain, 'host-only').to.equal('127.0.0.1');
      expect(cookie?.expires).to.be.closeTo(Date.now() / 1_000 + REFRESH_SECONDS, 60);

      const docs = await browser.open(`${getPlatform().gatewayUrl}/api/`);
      for (const tab of [page, docs]) expect(await readDocumentCookie(tab)).to.equal('');
    }),
  );

  it(
    'refreshes an expired access token with the cookie before the next call',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser();
      const tokens = recordAuthorizations(browser.context);
      const { frontend, account } = await openSignedIn(browser);
      const before = (await browser.context.cookies())[0]?.value;
      await waitUntilExpired(tokens.at(-1));

      const refreshes = recordRefreshes(browser.context);
      expect(await frontend.currentUser()).to.equal(account.email);
      expect(refreshes).to.have.length(1);
      const headers = await refreshes[0]?.allHeaders();
      expect(headers?.['cookie']).to.equal(`${COOKIE}=${before}`);
      expect(headers?.['origin']).to.equal(getPlatform().origins.allowed);
      const after = (await browser.context.cookies())[0]?.value;
      expect(after).to.be.a('string').that.is.not.oneOf([before, '']);
    }),
  );

  it(
    'restores the session after a reload',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser();
      const { page, frontend, account } = await openSignedIn(browser);
      const refreshes = recordRefreshes(browser.context);
      await page.reload();
      expect(await frontend.firstResult()).to.equal(account.email);
      await frontend.expectSession(`Signed in as ${account.email}`);
      expect(refreshes, 'one refresh by the cookie').to.have.length(1);
    }),
  );

  it(
    'refreshes once when two tabs call concurrently with an expired token',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser();
      const tokens = recordAuthorizations(browser.context);
      const first = await openSignedIn(browser);
      const second = await open(browser);
      expect(await second.frontend.firstResult()).to.equal(first.account.email);
      await waitUntilExpired(tokens.at(-1));

      const refreshes = recordRefreshes(browser.context);
      const results = await Promise.all([first.frontend.currentUser(), second.frontend.currentUser()]);
      expect(results).to.deep.equal([first.account.email, first.account.email]);
      expect(refreshes).to.have.length(1);
    }),
  );

  it(
    'keeps both tabs signed in when they refresh concurrently without Web Locks',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser();
      await browser.context.addInitScript(
        `Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })`,
      );
      browser.allowErrors(UNAUTHORIZED);
      const tokens = recordAuthorizations(browser.context);
      const codes = recordRefreshErrors(browser.context);
      const first = await openSignedIn(browser);
      const second = await open(browser);
      await second.frontend.firstResult();
      for (const _round of [1, 2, 3]) {
        await waitUntilExpired(tokens.at(-1));
        const stopSynchronizing = await synchronizeRefreshes(browser.context);
        const results = await Promise.all([first.frontend.currentUser(), second.frontend.currentUser()]);
        expect(results).to.deep.equal([first.account.email, first.account.email]);
        await stopSynchronizing();
      }
      expect(await codes())
        .to.include('REFRESH_TOKEN_SUPERSEDED')
        .and.not.to.include('REFRESH_TOKEN_REUSED');
      for (const { frontend } of [first, second])
        await frontend.expectSession(`Signed in as ${first.account.email}`);
    }),
  );

  it(
    'deletes the cookie at sign-out and signs out the other tab',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser();
      const first = await openSignedIn(browser);
      const second = await open(browser);
      await second.frontend.firstResult();

      expect(await first.frontend.signOut()).to.equal('Signed out');
      await first.frontend.expectSession('Signed out: SIGNED_OUT');
      expect(await browser.context.cookies()).to.deep.equal([]);
      await second.frontend.expectSession('Signed out: SIGNED_OUT');
      browser.allowErrors(UNAUTHORIZED);
      expect(await second.frontend.currentUser()).to.equal('TOKEN_INVALID');
      await first.page.reload();
      await first.frontend.expectSession('Signed out');
    }),
  );

  it(
    'sets and sends the cookie for a frontend on another site',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser();
      const { page, frontend, account } = await openSignedIn(browser, getPlatform().origins.otherSite);
      const refreshes = recordRefreshes(browser.context);
      await page.reload();
      expect(await frontend.firstResult()).to.equal(account.email);
      const headers = await refreshes[0]?.allHeaders();
      expect(headers?.['sec-fetch-site']).to.equal('cross-site');
      expect(headers?.['cookie']).to.include(`${COOKIE}=`);
    }),
  );
});
