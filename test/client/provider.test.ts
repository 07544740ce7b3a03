import { verifyEmail } from '@platform/shared/testing/query-database';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { getSite, openBrowser, signIn } from './recipe-site.ts';

const REJECTED = /status of 4\d\d/;

describe('recipe for providers', () => {
  let url: string;
  before('build', async () => {
    const { project, origin } = await getSite();
    await project.npm('run', 'build');
    url = `${origin}/provider/`;
  });

  const untilStatus = (page: Page, text: string): Promise<void> =>
    page.getByRole('status').filter({ hasText: text }).waitFor();
  const press = (page: Page, name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).click();
  const chooseAtProvider = async (page: Page, email: string): Promise<void> => {
    await page.getByLabel('Account').selectOption(email);
    await press(page, 'Sign in');
  };

  it('signs up, and keeps the only identity', async () => {
    const { open, errors } = await openBrowser(REJECTED);
    const page = await open(url);
    await press(page, 'Sign in with Company');
    await press(page, 'Cancel');
    await untilStatus(page, 'The sign-in was cancelled');
    await press(page, 'Sign in with Company');
    await chooseAtProvider(page, 'newcomer@example.com');
    await page.getByRole('heading', { name: 'newcomer@example.com' }).waitFor();
    expect(page.url()).to.equal(url);
    await press(page, 'Unlink');
    await untilStatus(page, 'only sign-in method');
    await press(page, 'Sign out');
    await press(page, 'Sign in with Company');
    await page.getByRole('heading', { name: 'newcomer@example.com' }).waitFor();
    expect(errors()).to.deep.equal([]);
  });

  it('links an identity to an account with a password, and unlinks it', async () => {
    const { createAccount, databaseUrl } = await getSite();
    const { open, errors } = await openBrowser(REJECTED);
    const account = await createAccount();
    await verifyEmail(databaseUrl, account.userId);
    const page = await open(url);
    await signIn(page, account);
    await page.getByLabel('Current password').fill(account.password);
    await press(page, 'Link Company');
    await chooseAtProvider(page, 'amelia.hartmann@example.net');
    await untilStatus(page, 'amelia.hartmann@example.net can now be used to sign in to this account.');
    await page.getByLabel('Current password').fill(account.password);
    await press(page, 'Unlink');
    await untilStatus(page, 'It can no longer be used to sign in to this account.');
    expect(await page.getByRole('list', { name: 'Identities' }).locator('li').count()).to.equal(0);
    expect(errors()).to.deep.equal([]);
  });
});
