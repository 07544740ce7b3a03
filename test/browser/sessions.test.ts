import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import type { BrowserContext, Page, Request, Route } from 'playwright-core';
import { browsing, type Visitor } from './support/browser-tests.ts';
import { onFrontend } from './support/frontend-page.ts';
import { ACCESS_SECONDS, platform, REFRESH_SECONDS } from './support/platform.ts';

const REFRESH = '/api/v1/customers/auth/refresh/token';
const COOKIE = 'CustomerRefreshToken';
/** Chromium says so of every answer from 400 on. */
const UNAUTHORIZED = /Failed to load resource: the server responded with a status of 401/;

const createAccount = () => createAuthClient(platform().gatewayUrl, CUSTOMER).createAccount();

const open = async (visitor: Visitor, url = platform().origins.allowed) => {
  const page = await visitor.open(url);
  return { page, frontend: onFrontend(page) };
};

/** A tab of somebody who has just signed in. */
const openSignedIn = async (visitor: Visitor, url?: string) => {
  const account = await createAccount();
  const tab = await open(visitor, url);
  expect(await tab.frontend.signIn(account)).to.equal(account.email);
  return { ...tab, account };
};

const accessTokens = (context: BrowserContext): string[] => {
  const tokens: string[] = [];
  context.on('request', (request) => {
    const { authorization } = request.headers();
    if (authorization) tokens.push(authorization);
  });
  return tokens;
};

const refreshes = (context: BrowserContext): Request[] => {
  const requests: Request[] = [];
  context.on('request', (request) => {
    if (request.method() === 'GET' && new URL(request.url()).pathname === REFRESH) requests.push(request);
  });
  return requests;
};

/** Lets the first two refreshes go at once, with the same cookie. */
const pairRefreshes = async (context: BrowserContext) => {
  const waiting: Route[] = [];
  const url = `**${REFRESH}`;
  await context.route(url, async (route) => {
    waiting.push(route);
    if (waiting.length === 2) await Promise.all(waiting.map((held) => held.continue()));
    if (waiting.length > 2) await route.continue();
  });
  return { end: () => context.unroute(url) };
};

/** The codes that refreshes were refused with. */
const refusedRefreshes = (context: BrowserContext) => {
  const answers: Promise<string>[] = [];
  context.on('response', (answer) => {
    if (new URL(answer.url()).pathname === REFRESH && answer.status() >= 400)
      answers.push(answer.json().then(({ code }) => code));
  });
  return () => Promise.all(answers);
};

/** The gateway itself tells when an access token has run out. */
const untilRefused = (authorization = '') =>
  waitFor(
    'the access token has expired',
    async () => {
      const answer = await fetch(`${platform().gatewayUrl}/api/v1/auth/me`, {
        headers: { Authorization: authorization },
      });
      return answer.status === 401;
    },
    ACCESS_SECONDS * 3,
  );

const visibleToScripts = (page: Page): Promise<string> => page.evaluate('document.cookie');

describe('A frontend on an origin of its own', () => {
  it(
    'When a customer signs in, then the browser keeps the refresh cookie, and no script sees it',
    browsing(async (visit) => {
      const visitor = await visit();
      const { page } = await openSignedIn(visitor);
      const [cookie, ...others] = await visitor.context.cookies();
      expect(others).to.deep.equal([]);
      expect(cookie).to.include({ name: COOKIE, httpOnly: true, secure: true, sameSite: 'None', path: '/' });
      expect(cookie?.domain, 'of this very host').to.equal('127.0.0.1');
      expect(cookie?.expires).to.be.closeTo(Date.now() / 1_000 + REFRESH_SECONDS, 60);

      const docs = await visitor.open(`${platform().gatewayUrl}/api/`);
      for (const tab of [page, docs]) expect(await visibleToScripts(tab)).to.equal('');
    }),
  );

  it(
    'When a customer has signed in, then the access token is in no storage',
    browsing(async (visit) => {
      const { page } = await openSignedIn(await visit());
      const stored = await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage])');
      expect(stored)
        .to.include('sessionId')
        .and.not.to.match(/eyJ[\w-]+\.eyJ/);
    }),
  );

  it(
    'When the access token has expired, then the next call sends the cookie, refreshes, and nobody notices',
    browsing(async (visit) => {
      const visitor = await visit();
      const tokens = accessTokens(visitor.context);
      const { frontend, account } = await openSignedIn(visitor);
      const before = (await visitor.context.cookies())[0]?.value;
      await untilRefused(tokens.at(-1));

      const sent = refreshes(visitor.context);
      expect(await frontend.who()).to.equal(account.email);
      expect(sent).to.have.length(1);
      const headers = await sent[0]?.allHeaders();
      expect(headers?.['cookie']).to.equal(`${COOKIE}=${before}`);
      expect(headers?.['origin']).to.equal(platform().origins.allowed);
      const after = (await visitor.context.cookies())[0]?.value;
      expect(after).to.be.a('string').that.is.not.oneOf([before, '']);
    }),
  );

  it(
    'When the page is reloaded, then the session is still there',
    browsing(async (visit) => {
      const visitor = await visit();
      const { page, frontend, account } = await openSignedIn(visitor);
      const sent = refreshes(visitor.context);
      await page.reload();
      expect(await frontend.firstAnswer()).to.equal(account.email);
      await frontend.expectSession('Signed in');
      expect(sent, 'by the cookie alone').to.have.length(1);
    }),
  );

  it(
    'When two tabs call at once with an expired token, then one refresh serves both',
    browsing(async (visit) => {
      const visitor = await visit();
      const tokens = accessTokens(visitor.context);
      const one = await openSignedIn(visitor);
      const other = await open(visitor);
      expect(await other.frontend.firstAnswer()).to.equal(one.account.email);
      await untilRefused(tokens.at(-1));

      const sent = refreshes(visitor.context);
      const answers = await Promise.all([one.frontend.who(), other.frontend.who()]);
      expect(answers).to.deep.equal([one.account.email, one.account.email]);
      expect(sent).to.have.length(1);
    }),
  );

  it(
    'When two tabs of a browser without Web Locks refresh at once, again and again, then one is superseded and nobody is signed out',
    browsing(async (visit) => {
      const visitor = await visit();
      await visitor.context.addInitScript(
        `Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })`,
      );
      visitor.expect(UNAUTHORIZED);
      const tokens = accessTokens(visitor.context);
      const codes = refusedRefreshes(visitor.context);
      const one = await openSignedIn(visitor);
      const other = await open(visitor);
      await other.frontend.firstAnswer();
      for (const _round of [1, 2, 3]) {
        await untilRefused(tokens.at(-1));
        const meet = await pairRefreshes(visitor.context);
        const answers = await Promise.all([one.frontend.who(), other.frontend.who()]);
        expect(answers).to.deep.equal([one.account.email, one.account.email]);
        await meet.end();
      }
      expect(await codes())
        .to.include('REFRESH_TOKEN_SUPERSEDED')
        .and.not.to.include('REFRESH_TOKEN_REUSED');
      for (const { frontend } of [one, other]) await frontend.expectSession('Signed in');
    }),
  );

  it(
    'When both tabs are reloaded at once, then both are signed in',
    browsing(async (visit) => {
      const visitor = await visit();
      const one = await openSignedIn(visitor);
      const other = await open(visitor);
      await other.frontend.firstAnswer();
      await Promise.all([one.page.reload(), other.page.reload()]);
      for (const { frontend } of [one, other])
        expect(await frontend.firstAnswer()).to.equal(one.account.email);
    }),
  );

  it(
    'When a customer signs out, then the cookie is gone, and the other tab and a reload know it',
    browsing(async (visit) => {
      const visitor = await visit();
      const one = await openSignedIn(visitor);
      const other = await open(visitor);
      await other.frontend.firstAnswer();

      expect(await one.frontend.signOut()).to.equal('Good-bye');
      await one.frontend.expectSession('Signed out: SIGNED_OUT');
      expect(await visitor.context.cookies()).to.deep.equal([]);
      await other.frontend.expectSession('Signed out: SIGNED_OUT');
      visitor.expect(UNAUTHORIZED);
      expect(await other.frontend.who()).to.equal('TOKEN_INVALID');
      await one.page.reload();
      await one.frontend.expectSession('Signed out');
    }),
  );

  it(
    'When the session was ended elsewhere, then the next call tells it and the page is signed out',
    browsing(async (visit) => {
      const visitor = await visit();
      const { frontend, account } = await openSignedIn(visitor);
      const elsewhere = createAuthClient(platform().gatewayUrl, CUSTOMER);
      const device = await elsewhere.openDevice(account);
      const { status } = await fetch(`${platform().gatewayUrl}/api/v1/customers/auth/sessions`, {
        method: 'DELETE',
        headers: { Authorization: `Bearer ${device.accessToken}` },
      });
      expect(status).to.equal(204);

      visitor.expect(UNAUTHORIZED);
      expect(await frontend.who()).to.equal('TOKEN_INVALID');
      await frontend.expectSession('Signed out: TOKEN_INVALID');
    }),
  );

  it(
    'When the password is wrong, then the page can read why',
    browsing(async (visit) => {
      const visitor = await visit();
      const { email } = await createAccount();
      const { frontend } = await open(visitor);
      visitor.expect(UNAUTHORIZED);
      expect(await frontend.signIn({ email, password: 'Battery staple 2' })).to.equal('INVALID_CREDENTIALS');
    }),
  );

  it(
    'When the frontend is on another site, then the cookie is still set and sent',
    browsing(async (visit) => {
      const visitor = await visit();
      const { page, frontend, account } = await openSignedIn(visitor, platform().origins.otherSite);
      const sent = refreshes(visitor.context);
      await page.reload();
      expect(await frontend.firstAnswer()).to.equal(account.email);
      const headers = await sent[0]?.allHeaders();
      expect(headers?.['sec-fetch-site']).to.equal('cross-site');
      expect(headers?.['cookie']).to.include(`${COOKIE}=`);
    }),
  );
});
