import { ADMINISTRATOR, bearer, createAuthClient } from '@platform/shared/testing/auth-client';
import { createInboxClient } from '@platform/shared/testing/inbox';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { send } from '@platform/shared/testing/responses';
import { totpCode } from '@platform/shared/testing/totp';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { DESKTOP, type OpenBrowser, type TestBrowser } from '../support/browser-test.ts';
import { getPlatform } from '../support/platform.ts';

export type Person = Awaited<ReturnType<Records['user']>>;
type Role = 'ADMIN' | 'OPERATOR' | 'ARBITER';

/** Chromium logs an error for every response with a status of 400 or above. */
export const REJECTED = /Failed to load resource: the server responded with a status of 4\d\d/;

export const ENGLISH: BrowserContextOptions = { ...DESKTOP, locale: 'en-GB', timezoneId: 'UTC' };
export const GERMAN: BrowserContextOptions = { ...DESKTOP, locale: 'de-DE', timezoneId: 'Europe/Berlin' };

/** A colleague with this role, a verified address and a password. */
export const createColleague = async (role: Role): Promise<Person> => {
  const records = createRecords(getPlatform().databaseUrl);
  try {
    return await records.user([role], { isEmailVerified: true });
  } finally {
    await records.close();
  }
};

/** Calls the API as a colleague does elsewhere. */
export const callAs = async (person: Person, method: string, path: string, body?: object) => {
  const { gatewayUrl } = getPlatform();
  const device = await createAuthClient(gatewayUrl, ADMINISTRATOR).openDevice(person);
  return await send(gatewayUrl, method, `/api/v1${path}`, { headers: bearer(device), ...(body && { body }) });
};

export const inbox = () => createInboxClient(getPlatform().inboxUrl);

/** Collects the violations of the content security policy; must be empty in the end. */
const watchPolicy = async ({ context }: TestBrowser): Promise<void> => {
  await context.addInitScript(() => {
    const page = globalThis as unknown as {
      violations: string[];
      addEventListener: (name: string, listener: (event: { violatedDirective: string }) => void) => void;
    };
    page.violations = [];
    page.addEventListener('securitypolicyviolation', ({ violatedDirective }) => {
      page.violations.push(violatedDirective);
    });
  });
};

/** Chooses from the menu of a person. */
export const chooseAction = async (page: Page, item: string, menu = 'Actions'): Promise<void> => {
  await page.getByRole('button', { name: menu, exact: true }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};

export const readPolicyViolations = (page: Page): Promise<string[]> => page.evaluate('violations');

/** The URL of a page on localhost, where browsers allow passkeys without HTTPS. */
export const pageUrl = (path: string): string => {
  const { port } = new URL(getPlatform().gatewayUrl);
  return new URL(path, `http://localhost:${port}`).href;
};
export const consoleUrl = (path = ''): string => pageUrl(`/console/${path}`);

export const openPage = async (browser: TestBrowser, path: string): Promise<Page> => {
  await watchPolicy(browser);
  return await browser.open(pageUrl(path));
};
/** Opens a page in a new browser, in which requests may be rejected. */
export const openTab = async (
  openBrowser: OpenBrowser,
  options: BrowserContextOptions,
  path: string,
): Promise<Page> => {
  const browser = await openBrowser(options);
  browser.allowErrors(REJECTED);
  return await openPage(browser, path);
};
export const openConsole = (browser: TestBrowser, path = ''): Promise<Page> =>
  openPage(browser, `/console/${path}`);

/** Types as a person without a mouse does: the focus is in the first field already. */
export const signInByKeyboard = async (
  page: Page,
  { email, password }: Pick<Person, 'email' | 'password'>,
) => {
  await page.locator('input[name=email]:focus').waitFor();
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
};

export const signIn = async (page: Page, { email, password }: Pick<Person, 'email' | 'password'>) => {
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.locator('form button[type=submit]').click();
};

type Opening = { options?: BrowserContextOptions; path?: string; allows?: RegExp[] };

/**
 * Opens the console in a new browser and signs in, with a role as a new colleague.
 * @param opening `allows` are the console errors that the test provokes
 */
export const openSignedIn = async (
  openBrowser: OpenBrowser,
  colleague: Role | Person,
  { options = ENGLISH, path = '', allows = [] }: Opening = {},
): Promise<Page> => {
  const browser = await openBrowser(options);
  browser.allowErrors(...allows);
  const page = await openConsole(browser, path);
  await signIn(page, typeof colleague === 'string' ? await createColleague(colleague) : colleague);
  return page;
};

export const waitForHeading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

/** Chooses what the button with the own name or address offers. */
export const chooseInAccountMenu = async (page: Page, name: string): Promise<void> => {
  await page.locator('.side-bar .account-button').last().click();
  await page.getByRole('menuitem', { name }).click();
};
export const signOut = (page: Page): Promise<void> => chooseInAccountMenu(page, 'Sign out');

/** Sets a filter of a list by its value, in English. */
export const chooseFilter = async (page: Page, value: string): Promise<void> => {
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('menuitemradio', { name: value, exact: true }).click();
};

/** Saves the codes that a first factor shows, and returns them. */
export const saveRecoveryCodes = async (page: Page): Promise<string[]> => {
  const dialog = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await dialog.waitFor();
  const codes = await dialog.getByRole('listitem').allInnerTexts();
  await dialog.getByRole('button', { name: 'Download' }).click();
  await dialog.getByRole('button', { name: 'I’ve saved my codes' }).click();
  return codes;
};

/** Sets up an app on the page of the own account, and returns its secret and the recovery codes. */
export const setUpApp = async (page: Page, { password }: Person) => {
  await page.getByRole('button', { name: 'Set up an authenticator app', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
  await dialog.getByLabel('Current password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  const shown = dialog.locator('.enrolment-secret');
  await shown.waitFor();
  const secret = (await shown.innerText()).replaceAll(' ', '');
  await page.locator('input[name=code]').fill(totpCode(secret));
  return { secret, recoveryCodes: await saveRecoveryCodes(page) };
};
