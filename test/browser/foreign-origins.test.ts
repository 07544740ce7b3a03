import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { browsing, type Visitor } from './support/browser-tests.ts';
import { onFrontend } from './support/frontend-page.ts';
import { platform } from './support/platform.ts';

const AUTH = '/api/v1/customers/auth';
const BLOCKED_BY_CORS = /blocked by CORS policy|net::ERR_FAILED/;
const REFUSED_ANSWER = /Failed to load resource: the server responded with a status of 4\d\d/;

/** What a page's script gets of a request: the name of the error when the browser lets it see nothing. */
const attempt = (page: Page, path: string, init: object): Promise<string> =>
  page.evaluate(
    `fetch(${JSON.stringify(platform().gatewayUrl + path)}, ${JSON.stringify(init)}).then(
      async (answer) => answer.type + ' ' + answer.status + ' ' + (await answer.text()),
      (error) => error.name,
    )`,
  );

/** As JSON in the guise of text, which a form of any page may send; a GET form has its fields in the address. */
const submitForm = (page: Page, method: 'get' | 'post', path: string, password: string): Promise<void> =>
  page.evaluate(
    `const form = document.createElement('form');
    Object.assign(form, { method: '${method}', enctype: 'text/plain', action: '${platform().gatewayUrl}${path}' });
    const fields = { name: '{"currentPassword":"${password}","newPassword":"Battery staple 2","x":"', value: '"}' };
    form.append(Object.assign(document.createElement('input'), fields));
    document.body.append(form);
    form.submit();`,
  );

describe('A foreign origin', () => {
  const createAccount = () => createAuthClient(platform().gatewayUrl, CUSTOMER).createAccount();
  const signIn = async (visitor: Visitor) => {
    const account = await createAccount();
    const frontend = onFrontend(await visitor.open(platform().origins.allowed));
    expect(await frontend.signIn(account)).to.equal(account.email);
    return { account, frontend };
  };
  const sites = [
    ['of the same site', () => platform().origins.foreign],
    ['of another site', () => platform().origins.foreignSite],
  ] as const;

  for (const [which, origin] of sites) {
    it(
      `When the same frontend stands on an origin ${which} that is not allowed, then nobody can sign in there`,
      browsing(async (visit) => {
        const visitor = await visit();
        const account = await createAccount();
        const page = await visitor.open(origin());
        visitor.expect(BLOCKED_BY_CORS);
        expect(await onFrontend(page).signIn(account)).to.equal('GATEWAY_UNREACHABLE');
        expect(await visitor.context.cookies()).to.deep.equal([]);
      }),
    );

    it(
      `When a page ${which} calls in the name of who is signed in, then the browser asks first, is refused, and hands out nothing`,
      browsing(async (visit) => {
        const visitor = await visit();
        const { account, frontend } = await signIn(visitor);
        const page = await visitor.open(origin());
        visitor.expect(BLOCKED_BY_CORS, REFUSED_ANSWER);
        const headers = { 'X-Fingerprint': 'x', 'X-Session-Id': crypto.randomUUID() };
        const json = { 'Content-Type': 'application/json' };
        const body = JSON.stringify({ currentPassword: account.password, newPassword: 'Battery staple 2' });
        const attempts = [
          [`${AUTH}/refresh/token`, { credentials: 'include', headers }],
          [`${AUTH}/refresh/token`, { credentials: 'include' }],
          [`${AUTH}/reset-password/me`, { credentials: 'include', method: 'POST', headers: json, body }],
          ['/api/openapi.json', {}],
        ] as const;
        for (const [path, init] of attempts)
          expect(await attempt(page, path, init), path).to.equal('TypeError');
        expect(await frontend.who()).to.equal(account.email);
      }),
    );

    it(
      `When a page ${which} submits a form with who is signed in, cookie included, then nothing changes`,
      browsing(async (visit) => {
        const visitor = await visit();
        const { account, frontend } = await signIn(visitor);
        visitor.expect(REFUSED_ANSWER);
        for (const [method, route] of [
          ['post', 'reset-password/me'],
          ['get', 'refresh/token'],
          ['get', 'sign-out'],
        ] as const) {
          const page = await visitor.open(origin());
          const answered = page.waitForResponse(`**${AUTH}/${route}*`);
          await submitForm(page, method, `${AUTH}/${route}`, account.password);
          const answer = await answered;
          expect(answer.status(), route).to.be.oneOf([400, 401, 415]);
          const { cookie } = await answer.request().allHeaders();
          expect(cookie, 'the attack is a real one').to.include('CustomerRefreshToken=');
        }
        expect(await frontend.who()).to.equal(account.email);
        expect(await frontend.signOut()).to.equal('Good-bye');
        expect(await frontend.signIn(account), 'the password is the old one').to.equal(account.email);
      }),
    );

    it(
      `When a page ${which} fetches blindly, cookie included, then it sees nothing and changes nothing`,
      browsing(async (visit) => {
        const visitor = await visit();
        const { account, frontend } = await signIn(visitor);
        const page = await visitor.open(origin());
        visitor.expect(/ERR_BLOCKED_BY_RESPONSE.NotSameOrigin/);
        const blind = { mode: 'no-cors', credentials: 'include' };
        for (const path of [
          `${AUTH}/refresh/token`,
          `${AUTH}/sign-out`,
          '/api/openapi.json',
          '/api/swagger-ui.css',
        ])
          expect(await attempt(page, path, blind), path).to.equal('TypeError');
        expect(await frontend.who()).to.equal(account.email);
      }),
    );

    it(
      `When a page ${which} puts the documentation into a frame, then the browser shows nothing`,
      browsing(async (visit) => {
        const visitor = await visit();
        const page = await visitor.open(origin());
        visitor.expect(/frame-ancestors|Refused to (?:display|frame)/);
        const refused = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()));
        await page.evaluate(
          `document.body.append(Object.assign(document.createElement('iframe'), { src: '${platform().gatewayUrl}/api/' }))`,
        );
        await refused;
        expect(await page.frameLocator('iframe').locator('.swagger-ui').count()).to.equal(0);
      }),
    );
  }
});
