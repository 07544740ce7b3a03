import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { getSite, openBrowser, signIn } from './recipe-site.ts';

const SESSIONS = '/api/v1/customers/auth/sessions';
const UNAUTHORIZED = /status of 401/;

const countRequests = (page: Page, path: string): (() => number) => {
  let count = 0;
  page.on('request', (request) => {
    if (request.method() === 'GET' && new URL(request.url()).pathname === path) count += 1;
  });
  return () => count;
};

describe('recipe for React and TanStack Query', () => {
  let url: string;
  before('build', async () => {
    const { project, origin } = await getSite();
    await project.npm('run', 'build');
    url = `${origin}/react-query/`;
  });

  const waitForSessions = (page: Page, count: number): Promise<unknown> =>
    page.waitForFunction(`document.querySelectorAll('[aria-label=Sessions] li').length === ${count}`);

  it('loads the query at sign-in and after a reload, and removes its data at sign-out', async () => {
    const { createAccount } = await getSite();
    const { open, errors } = await openBrowser();
    const page = await open(url);
    const requests = countRequests(page, SESSIONS);
    const account = await createAccount();
    await signIn(page, account);
    await waitForSessions(page, 1);
    expect(requests()).to.equal(1);

    await page.reload();
    await page.getByRole('heading', { name: account.email }).waitFor();
    await waitForSessions(page, 1);
    expect(requests()).to.equal(2);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
    expect(await page.locator('body').innerText()).not.to.include(account.email);
    expect(errors()).to.deep.equal([]);
  });

  it('never shows the data of the previous user to the next one', async () => {
    const { createAccount } = await getSite();
    const { open, errors } = await openBrowser();
    const [first, second] = [await createAccount(), await createAccount()];
    const page = await open(url);
    await signIn(page, first);
    await waitForSessions(page, 1);
    await page.getByRole('button', { name: 'Sign out' }).click();

    // The response is held back, so that only a cache could show sessions.
    await page.route(`**${SESSIONS}`, () => undefined);
    await signIn(page, second);
    expect(await page.getByRole('listitem').count()).to.equal(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(errors()).to.deep.equal([]);
  });

  it('follows a sign-out in another tab', async () => {
    const { createAccount } = await getSite();
    const { open, errors } = await openBrowser();
    const account = await createAccount();
    const page = await open(url);
    await signIn(page, account);
    const other = await open(url);
    await other.getByRole('heading', { name: account.email }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await other.getByText('You were signed out: SIGNED_OUT').waitFor();
    expect(errors()).to.deep.equal([]);
  });

  it('explains a wrong password', async () => {
    const { createAccount } = await getSite();
    const { open, errors } = await openBrowser(UNAUTHORIZED);
    const { email } = await createAccount();
    const page = await open(url);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill('Battery staple 2');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').filter({ hasText: 'The e-mail or the password is wrong.' }).waitFor();
    expect(errors()).to.deep.equal([]);
  });
});
