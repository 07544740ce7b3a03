import { createRecords } from '@platform/shared/testing/records';
import type { Page } from 'playwright-core';
import type { TestBrowser } from './browser-test.ts';
import { getPlatform } from './platform.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** Signs in with a demo account, and opens a screen of the console. */
const openScreen = async ({ open }: TestBrowser, path: string, ready: string): Promise<Page> => {
  const page = await open(`${getPlatform().gatewayUrl}/console/${path}`);
  await page.locator('input[name=email]').fill('admin@example.com');
  await page.locator('input[name=password]').fill('Password123!');
  await page.locator('form button[type=submit]').click();
  await page.getByText(ready).first().waitFor();
  await page.waitForLoadState('networkidle');
  return page;
};

/** A demo customer with a device, a note and some history. Returns the id. */
const createHistory = async (): Promise<string> => {
  const records = createRecords(getPlatform().databaseUrl);
  try {
    const [customer, admin] = await records.query<{ id: string }>(
      `select id from users where email in ('customer@example.com', 'admin@example.com') order by email desc`,
    );
    if (!customer || !admin) throw new Error('The stack has no demo data');
    await records.session(customer.id, { userAgent: CHROME, ip: '91.64.12.7' });
    await records.query('update users set last_sign_in_at = now() where id = $1', [customer.id]);
    await records.query('insert into user_notes (user_id, author_id, text) values ($1, $2, $3)', [
      customer.id,
      admin.id,
      'Asked by phone for a copy of the data; sent on 12 Nov.',
    ]);
    await records.query(
      `insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details, created_at)
       select action, $2::uuid, 'USER', $1::text, 'picture', '203.0.113.7', '{}', now() - n * interval '1 day'
       from (values ('USER_BLOCKED', 3), ('USER_UNBLOCKED', 2)) actions (action, n)`,
      [customer.id, admin.id],
    );
    return customer.id;
  } finally {
    await records.close();
  }
};

let prepared: Promise<string> | undefined;
/** Several pictures show the same history. */
const prepareCustomer = (): Promise<string> => {
  prepared ??= createHistory();
  return prepared;
};

const showUser = async (browser: TestBrowser): Promise<Page> => {
  const page = await openScreen(browser, `users/${await prepareCustomer()}`, 'Chrome on Windows');
  for (const text of ['Asked by phone', 'unblocked this user']) await page.getByText(text).first().waitFor();
  return page;
};

const showBlockDialog = async (browser: TestBrowser): Promise<Page> => {
  const page = await showUser(browser);
  await page.getByRole('button', { name: 'Block …' }).click();
  await page.locator('dialog[open]').waitFor();
  return page;
};

const showTeam = async (browser: TestBrowser): Promise<Page> => {
  const page = await openScreen(browser, 'teams?status=ONBOARDING', '1–');
  await page.locator('tbody a').first().click();
  await page.getByRole('button', { name: 'Verify …' }).waitFor();
  const members = page.locator('section', { hasText: 'Members' });
  await members.getByRole('link').first().waitFor();
  return page;
};

/** Shows actions that are in the log. */
const showActions = async (browser: TestBrowser, path: string): Promise<Page> => {
  await prepareCustomer();
  const page = await openScreen(browser, path, 'admin@example.com');
  await page.getByRole('main').getByText('admin@example.com').first().waitFor();
  return page;
};

export const CONSOLE_PICTURES = {
  'console-overview': (browser: TestBrowser) => showActions(browser, ''),
  'console-users': (browser: TestBrowser) => openScreen(browser, 'users', '1–20 of'),
  'console-user': showUser,
  'console-block': showBlockDialog,
  'console-team': showTeam,
  'console-log': (browser: TestBrowser) => showActions(browser, 'audit-log'),
} as const;
