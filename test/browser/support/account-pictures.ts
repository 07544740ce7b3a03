import type { Page } from 'playwright-core';
import type { TestBrowser } from './browser-test.ts';
import { getPlatform } from './platform.ts';

/** The proportions of the other pictures, with fewer empty margins. */
const SIZE = { width: 1120, height: 700 };

/** At localhost, because browsers allow passkeys there. */
const openSignIn = async ({ open }: TestBrowser): Promise<Page> => {
  const { port } = new URL(getPlatform().gatewayUrl);
  const page = await open(`http://localhost:${port}/account/customer/sign-in`);
  await page.setViewportSize(SIZE);
  await page.getByRole('button', { name: 'Continue with Company' }).waitFor();
  return page;
};

const showAccount = async (browser: TestBrowser): Promise<Page> => {
  const page = await openSignIn(browser);
  await page.locator('input[name=email]').fill('customer@example.com');
  await page.locator('input[name=password]').fill('Password123!');
  await page.keyboard.press('Enter');
  await page.getByText('This device', { exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.evaluate('document.activeElement.blur()');
  return page;
};

export const ACCOUNT_PICTURES = { 'account-sign-in': openSignIn, account: showAccount } as const;
