import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { browserTest, type TestBrowser } from './support/browser-test.ts';
import { createFrontendPage } from './support/frontend-page.ts';
import { getPlatform } from './support/platform.ts';

const AUTH = '/api/v1/customers/auth';
const BLOCKED_BY_CORS = /blocked by CORS policy|net::ERR_FAILED/;
const REJECTED = /Failed to load resource: the server responded with a status of 4\d\d/;

/** Fetches from a script in the page. Returns the error name when the browser blocks the response. */
const fetchInPage = (page: Page, path: string, init: object): Promise<string> =>
  page.evaluate(
    `fetch(${JSON.stringify(getPlatform().gatewayUrl + path)}, ${JSON.stringify(init)}).then(
      async (response) => response.type + ' ' + response.status + ' ' + (await response.text()),
      (error) => error.name,
    )`,
  );

describe('foreign origin', () => {
  const createAccount = () => createAuthClient(getPlatform().gatewayUrl, CUSTOMER).createAccount();
  const signIn = async (browser: TestBrowser) => {
    const account = await createAccount();
    const frontend = createFrontendPage(await browser.open(getPlatform().origins.allowed));
    expect(await frontend.signIn(account)).to.equal(account.email);
    return { account, frontend };
  };
  const sites = [
    ['same site', () => getPlatform().origins.foreign],
    ['cross-site', () => getPlatform().origins.foreignSite],
  ] as const;

  for (const [site, origin] of sites) {
    it(
      `cannot sign in unless CORS_ORIGINS names it (${site})`,
      browserTest(async (openBrowser) => {
        const browser = await openBrowser();
        const account = await createAccount();
        const page = await browser.open(origin());
        browser.allowErrors(BLOCKED_BY_CORS);
        expect(await createFrontendPage(page).signIn(account)).to.equal('ORIGIN_REFUSED');
        expect(await browser.context.cookies()).to.deep.equal([]);
      }),
    );

    it(
      `cannot send credentialed requests, which fail in the preflight (${site})`,
      browserTest(async (openBrowser) => {
        const browser = await openBrowser();
        const { account, frontend } = await signIn(browser);
        const page = await browser.open(origin());
        browser.allowErrors(BLOCKED_BY_CORS, REJECTED);
        const headers = { 'X-Fingerprint': 'x', 'X-Session-Id': crypto.randomUUID() };
        const json = { 'Content-Type': 'application/json' };
        const body = JSON.stringify({ currentPassword: account.password, newPassword: 'Battery staple 2' });
        const requests = [
          [`${AUTH}/refresh/token`, { credentials: 'include', headers }],
          [`${AUTH}/refresh/token`, { credentials: 'include' }],
          [`${AUTH}/reset-password/me`, { credentials: 'include', method: 'POST', headers: json, body }],
          ['/api/openapi.json', {}],
        ] as const;
        for (const [path, init] of requests)
          expect(await fetchInPage(page, path, init), path).to.equal('TypeError');
        expect(await frontend.currentUser()).to.equal(account.email);
      }),
    );

    it(
      `cannot read no-cors responses or end the session (${site})`,
      browserTest(async (openBrowser) => {
        const browser = await openBrowser();
        const { account, frontend } = await signIn(browser);
        const page = await browser.open(origin());
        browser.allowErrors(/ERR_BLOCKED_BY_RESPONSE.NotSameOrigin/);
        const noCors = { mode: 'no-cors', credentials: 'include' };
        for (const path of [
          `${AUTH}/refresh/token`,
          `${AUTH}/sign-out`,
          '/api/openapi.json',
          '/api/swagger-ui.css',
        ])
          expect(await fetchInPage(page, path, noCors), path).to.equal('TypeError');
        expect(await frontend.currentUser()).to.equal(account.email);
      }),
    );

    it(
      `cannot show the documentation in an iframe (${site})`,
      browserTest(async (openBrowser) => {
        const browser = await openBrowser();
        const page = await browser.open(origin());
        browser.allowErrors(/frame-ancestors|Refused to (?:display|frame)/);
        const blocked = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()));
        await page.evaluate(
          `document.body.append(Object.assign(document.createElement('iframe'), { src: '${getPlatform().gatewayUrl}/api/' }))`,
        );
        await blocked;
        expect(await page.frameLocator('iframe').locator('.swagger-ui').count()).to.equal(0);
      }),
    );
  }
});
