import { type AccountKind, CUSTOMER, createAuthClient, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { createRecords, type Records } from '@platform/shared/testing/records';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { ENGLISH, GERMAN } from '../console/console-tab.ts';
import { getPlatform } from '../support/platform.ts';

export type Person = Awaited<ReturnType<Records['user']>>;

type Fields = { email?: string; language?: 'en' | 'de' };

/** A customer or an employee with a verified address and a password. */
export const createPerson = async (role: 'CUSTOMER' | 'EMPLOYEE', fields: Fields = {}): Promise<Person> => {
  const records = createRecords(getPlatform().databaseUrl);
  try {
    return await records.user([role], { isEmailVerified: true, ...fields });
  } finally {
    await records.close();
  }
};

const ENGLISH_WORDS = {
  signIn: 'Sign in',
  signUp: 'Create account',
  verify: 'Verify your e-mail address',
  yourAccount: 'Your account',
  secondStep: 'Second step',
  forgotten: 'Forgotten?',
  reset: 'Reset the password',
  useRecoveryCode: 'Use a recovery code',
  usePasskey: 'Use a passkey',
  addPasskey: 'Add a passkey',
  company: 'Continue with Company',
  connectCompany: 'Connect Company',
  companyConnected: 'Company',
  connect: 'Connect',
  signOut: 'Sign out',
  signOutElsewhere: 'Sign out everywhere else',
  goOn: 'Continue',
  changeEmail: 'Change e-mail address',
  deleteAccount: 'Delete account',
  accountExists: 'There is already an account',
  wrongCode: 'The code is wrong or has expired.',
};

const GERMAN_WORDS: typeof ENGLISH_WORDS = {
  signIn: 'Anmelden',
  signUp: 'Konto erstellen',
  verify: 'E-Mail-Adresse bestätigen',
  yourAccount: 'Ihr Konto',
  secondStep: 'Zweiter Schritt',
  forgotten: 'Vergessen?',
  reset: 'Passwort zurücksetzen',
  useRecoveryCode: 'Wiederherstellungscode verwenden',
  usePasskey: 'Passkey verwenden',
  addPasskey: 'Passkey hinzufügen',
  company: 'Weiter mit Company',
  connectCompany: 'Company verbinden',
  companyConnected: 'Company',
  connect: 'Verbinden',
  signOut: 'Abmelden',
  signOutElsewhere: 'Überall sonst abmelden',
  goOn: 'Weiter',
  changeEmail: 'E-Mail-Adresse ändern',
  deleteAccount: 'Konto löschen',
  accountExists: 'Zu dieser Adresse gibt es bereits ein Konto.',
  wrongCode: 'Der Code ist falsch oder abgelaufen.',
};

export type Journey = {
  kind: AccountKind;
  options: BrowserContextOptions;
  words: typeof ENGLISH_WORDS;
  /** A person whose mails are in the language of the browser. */
  createPerson: () => Promise<Person>;
  /** A part of the subject of a mail with a code. */
  codeMail: string;
  base: string;
  client: () => ReturnType<typeof createAuthClient>;
};

const toJourney = (kind: AccountKind, isGerman: boolean): Journey => ({
  kind,
  options: isGerman ? GERMAN : ENGLISH,
  words: isGerman ? GERMAN_WORDS : ENGLISH_WORDS,
  createPerson: () =>
    createPerson(kind === CUSTOMER ? 'CUSTOMER' : 'EMPLOYEE', { language: isGerman ? 'de' : 'en' }),
  codeMail: isGerman ? 'ode' : 'code',
  base: `/account/${kind.kind}`,
  client: () => createAuthClient(getPlatform().gatewayUrl, kind),
});

/** Each kind and each language once: the kinds differ in their data, and the languages in their words. */
export const JOURNEYS: readonly [[string, Journey], [string, Journey]] = [
  ['customer, English', toJourney(CUSTOMER, false)],
  ['employee, German', toJourney(EMPLOYEE, true)],
];

/** Presses Tab until the control with this name is focused, as a person without a mouse does. */
const tabTo = async (page: Page, name: string): Promise<void> => {
  const read = 'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent';
  for (let presses = 0; presses < 80; presses += 1) {
    if ((await page.evaluate(read)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${name}`);
};

export const press = async (page: Page, name: string): Promise<void> => {
  await page
    .getByText(name, { exact: true })
    .or(page.getByLabel(name, { exact: true }))
    .first()
    .waitFor();
  await tabTo(page, name);
  await page.keyboard.press('Enter');
};

/** Types into the field that has the focus, in place of what is in it. */
export const typeInto = async (page: Page, field: string, text: string): Promise<void> => {
  await page.locator(`input[name=${field}]:focus`).waitFor();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
};

/** Types into another field of the form, to which Tab leads. */
export const tabAndType = async (page: Page, field: string, text: string): Promise<void> => {
  const isFocused = `document.activeElement.getAttribute('name') === '${field}'`;
  for (let presses = 0; presses < 20 && !(await page.evaluate(isFocused)); presses += 1)
    await page.keyboard.press('Tab');
  await typeInto(page, field, text);
};
