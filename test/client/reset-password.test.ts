import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { codeIn } from '@platform/shared/testing/inbox';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { getSite, openBrowser } from './recipe-site.ts';

const SUBJECT = 'Your code to reset the password';
const NEW_PASSWORD = ' Battery staple 2';
const REJECTED = /status of 4(?:00|29)/;

describe('recipe for a reset-password page', () => {
  let url: string;
  before('build', async () => {
    const { project, origin } = await getSite();
    await project.npm('run', 'build');
    url = `${origin}/reset-password/`;
  });

  const untilStatus = (page: Page, text: RegExp | string): Promise<void> =>
    page.getByRole('status').filter({ hasText: text }).waitFor();

  const requestCode = async (page: Page, email: string): Promise<void> => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: 'Send a code' }).click();
    await untilStatus(page, `If ${email} has an account`);
  };

  const setPassword = async (page: Page, code: string, password: string): Promise<void> => {
    await page.getByLabel('Code').fill(code);
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Set the password' }).click();
  };

  it('sets a new password with the code of the mail', async () => {
    const { createAccount, inbox, gatewayUrl } = await getSite();
    const { open, errors } = await openBrowser();
    const { email } = await createAccount();
    const page = await open(url);
    await requestCode(page, email);
    await setPassword(page, codeIn(await inbox.untilMail(email, SUBJECT)), NEW_PASSWORD);
    await untilStatus(page, 'Your password was changed');
    await createAuthClient(gatewayUrl, CUSTOMER).openDevice({ email, password: NEW_PASSWORD });
    expect(errors()).to.deep.equal([]);
  });

  it('explains a wrong code, a weak password and an early second request', async () => {
    const { createAccount, inbox } = await getSite();
    const { open, errors } = await openBrowser(REJECTED);
    const { email } = await createAccount();
    const page = await open(url);
    await requestCode(page, email);
    const code = codeIn(await inbox.untilMail(email, SUBJECT));
    await setPassword(page, code === '000000' ? '000001' : '000000', NEW_PASSWORD);
    await untilStatus(page, 'The code is wrong, used or expired');
    await setPassword(page, code, 'short');
    await untilStatus(page, /8 characters/);
    await page.getByRole('button', { name: 'Send another code' }).click();
    await untilStatus(page, 'You can request another one in 2 min.');
    // The first code is still valid.
    await setPassword(page, code, NEW_PASSWORD);
    await untilStatus(page, 'Your password was changed');
    expect(errors()).to.deep.equal([]);
  });

  it('shows the same for an unknown address', async () => {
    const { open, errors } = await openBrowser();
    await requestCode(await open(url), 'nobody@example.com');
    expect(errors()).to.deep.equal([]);
  });

  it('shows that the service cannot be reached', async () => {
    const { gatewayUrl } = await getSite();
    const { open, errors } = await openBrowser(/net::ERR_FAILED/);
    const page = await open(url);
    await page.route(`${gatewayUrl}/**`, (route) => route.abort());
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByRole('button', { name: 'Send a code' }).click();
    await untilStatus(page, 'The service cannot be reached');
    expect(errors()).to.deep.equal([]);
  });
});
