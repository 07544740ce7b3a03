import { createRecords } from '@platform/shared/testing/records';
import type { Page } from 'playwright-core';
import type { TestBrowser } from './browser-test.ts';
import { getPlatform } from './platform.ts';

/** Signs in with a demo account, and opens a screen of the console with all its parts. */
const openScreen = async ({ open }: TestBrowser, path: string, ready: string): Promise<Page> => {
  const page = await open(`${getPlatform().gatewayUrl}/console/${path}`);
  await page.locator('input[name=email]').fill('admin@example.com');
  await page.locator('input[name=password]').fill('Password123!');
  await page.locator('form button[type=submit]').click();
  await page.locator('main').getByText(ready).first().waitFor();
  await page.waitForLoadState('networkidle');
  return page;
};

/** The id of a person of the demo data. */
const findId = async (email: string): Promise<string> => {
  const records = createRecords(getPlatform().databaseUrl);
  try {
    const [user] = await records.query<{ id: string }>('select id from users where email = $1', [email]);
    if (!user) throw new Error('The stack has no demo data');
    return user.id;
  } finally {
    await records.close();
  }
};

const showUser = async (browser: TestBrowser): Promise<Page> =>
  openScreen(browser, `users/${await findId('customer@example.com')}`, 'Asked by phone for a copy');

const showBlockDialog = async (browser: TestBrowser): Promise<Page> => {
  const page = await showUser(browser);
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Block …' }).click();
  await page.locator('dialog[open]').waitFor();
  return page;
};

const showTeam = async (browser: TestBrowser): Promise<Page> => {
  const page = await openScreen(browser, 'teams?status=ONBOARDING', 'Seven Bridges Software');
  await page.getByRole('link', { name: 'Seven Bridges Software' }).click();
  await page.getByText('Before you verify').waitFor();
  return page;
};

export const CONSOLE_PICTURES = {
  'console-overview': (browser: TestBrowser) => openScreen(browser, '', 'Failed'),
  'console-users': (browser: TestBrowser) => openScreen(browser, 'users', 'Felix Amann'),
  'console-user': showUser,
  'console-block': showBlockDialog,
  'console-team': showTeam,
  'console-log': (browser: TestBrowser) =>
    openScreen(browser, 'audit-log?signIns=shown', 'signed in on a new device'),
} as const;
