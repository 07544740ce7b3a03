import { verifyEmail } from '@platform/shared/testing/query-database';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { addVirtualAuthenticator } from '../browser/support/virtual-authenticator.ts';
import { getSite, openBrowser, signIn } from './recipe-site.ts';

const UNAUTHORIZED = /status of 401/;

describe('recipe for a second factor and passkeys', () => {
  let url: string;
  before('build', async () => {
    const { project, passkeyOrigin } = await getSite();
    await project.npm('run', 'build');
    url = `${passkeyOrigin}/second-factor/`;
  });

  const untilStatus = (page: Page, text: string): Promise<void> =>
    page.getByRole('status').filter({ hasText: text }).waitFor();
  const press = (page: Page, name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).click();
  const enterCode = async (page: Page, form: string, code: string): Promise<void> => {
    await page.locator(`${form} [name=code]`).fill(code);
    await page.locator(`${form} button`).first().click();
  };
  const startSignIn = async (page: Page, { email, password }: { email: string; password: string }) => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await press(page, 'Sign in');
    await untilStatus(page, 'The password is correct');
  };
  const signOut = async (page: Page): Promise<void> => {
    await press(page, 'Sign out');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  };

  /** Signs in as a new customer. */
  const openAccount = async (...allowed: RegExp[]) => {
    const { createAccount, databaseUrl } = await getSite();
    const { open, errors } = await openBrowser(...allowed);
    const account = await createAccount();
    await verifyEmail(databaseUrl, account.userId);
    const page = await open(url);
    const authenticator = await addVirtualAuthenticator(page);
    await signIn(page, account);
    await page.getByLabel('Current password').fill(account.password);
    return { page, authenticator, account, errors };
  };
  const setUpApp = async (page: Page) => {
    await press(page, 'Set up an authenticator app');
    await untilStatus(page, 'Then enter the code');
    const secret = await page.locator('#confirm code').innerText();
    expect(await page.getByRole('link', { name: 'open the app' }).getAttribute('href')).to.include(secret);
    const usedCode = totpCode(secret);
    await enterCode(page, '#confirm', usedCode);
    await untilStatus(page, 'Keep these codes');
    const recoveryCodes = await page
      .getByRole('list', { name: 'Recovery codes' })
      .locator('li')
      .allInnerTexts();
    return { secret, usedCode, recoveryCodes };
  };

  it('signs in with the app and with a recovery code, and removes the app', async () => {
    const { page, account, errors } = await openAccount(UNAUTHORIZED);
    const { secret, usedCode, recoveryCodes } = await setUpApp(page);
    expect(recoveryCodes).to.have.length(10);
    await page.getByText('Authenticator app: on. Recovery codes left: 10.').waitFor();

    await signOut(page);
    expect(await page.getByRole('list', { name: 'Recovery codes' }).locator('li').count()).to.equal(0);
    await startSignIn(page, account);
    await enterCode(page, '#second-step', usedCode);
    await untilStatus(page, 'The code is wrong or was already used');
    await enterCode(page, '#second-step', totpCode(secret, 1));
    await page.getByRole('heading', { name: account.email }).waitFor();

    await signOut(page);
    await startSignIn(page, account);
    expect(await page.getByRole('button', { name: 'Use a passkey' }).isVisible()).to.equal(false);
    await enterCode(page, '#second-step', recoveryCodes[0]?.toUpperCase() ?? '');
    await page.getByText('Authenticator app: on. Recovery codes left: 9.').waitFor();

    await page.getByLabel('Current password').fill(account.password);
    await press(page, 'Remove the app');
    await enterCode(page, '#proof', recoveryCodes[1] ?? '');
    await page.getByText('Authenticator app: off. Recovery codes left: 0.').waitFor();
    expect(errors()).to.deep.equal([]);
  });

  it('signs in with a passkey, alone and as the second step, and removes it', async () => {
    const { page, authenticator, account, errors } = await openAccount(UNAUTHORIZED);
    await press(page, 'Add a passkey');
    await untilStatus(page, 'The passkey was added');
    expect(await authenticator.countPasskeys()).to.equal(1);

    // Otherwise the e-mail field would sign in at once.
    await authenticator.setUserPresent(false);
    await signOut(page);
    await authenticator.setUserPresent(true);
    await press(page, 'Sign in with a passkey');
    await page.getByRole('heading', { name: account.email }).waitFor();

    await authenticator.setUserPresent(false);
    await signOut(page);
    await startSignIn(page, account);
    await authenticator.setUserPresent(true);
    await authenticator.setUserVerified(false);
    await press(page, 'Use a passkey');
    await untilStatus(page, 'No passkey was used');
    await authenticator.setUserVerified(true);
    await press(page, 'Use a passkey');
    await page.getByRole('heading', { name: account.email }).waitFor();

    await page.getByLabel('Current password').fill(account.password);
    await press(page, 'New recovery codes');
    await press(page, 'Confirm with a passkey');
    await untilStatus(page, 'Keep these codes');
    expect(await page.getByRole('list', { name: 'Recovery codes' }).locator('li').count()).to.equal(10);
    await press(page, 'Remove This device');
    await untilStatus(page, 'The passkey was removed');
    expect(errors()).to.deep.equal([]);
  });

  it('offers the passkey in the e-mail field, again after a cancelled dialog', async () => {
    const { page, authenticator, account, errors } = await openAccount();
    await press(page, 'Add a passkey');
    await untilStatus(page, 'The passkey was added');
    await authenticator.setUserPresent(false);
    await signOut(page);
    await authenticator.setUserVerified(false);
    await authenticator.setUserPresent(true);
    let challenges = 0;
    const offered = page.waitForRequest(
      (request) => request.url().endsWith('/sign-in/passkey/options') && ++challenges === 2,
    );
    await press(page, 'Sign in with a passkey');
    await untilStatus(page, 'No passkey was used');
    await offered;
    await authenticator.setUserVerified(true);
    await page.reload();
    await page.getByRole('heading', { name: account.email }).waitFor();
    expect(errors()).to.deep.equal([]);
  });
});
