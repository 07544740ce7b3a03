import { type AccountKind, CUSTOMER, createAuthClient, EMPLOYEE } from '@platform/shared/testing/auth-client';
import type { Records } from '@platform/shared/testing/records';
import { passTimeAt } from '@platform/shared/testing/test-redis';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { withRecords } from '../console/back-office-records.ts';
import { ENGLISH, GERMAN, waitForHeading } from '../console/console-tab.ts';
import { getPlatform } from '../support/platform.ts';

export type Person = Awaited<ReturnType<Records['user']>>;

type Fields = NonNullable<Parameters<Records['user']>[1]>;

/** The name of each passkey that a journey adds. */
export const PASSKEY = 'Laptop';

/** A person who has a verified address and a password, unless the fields say otherwise. */
const createPerson = (role: 'CUSTOMER' | 'EMPLOYEE', fields: Fields): Promise<Person> =>
  withRecords((records) => records.user([role], { isEmailVerified: true, ...fields }));

const VISITOR = 'visitor@example.org';

/**
 * A person whose address the provider knows but may not vouch for, so that its sign-in says ACCOUNT_EXISTS.
 * Only one account can have the address.
 */
const createVisitor = (role: 'CUSTOMER' | 'EMPLOYEE', fields: Fields): Promise<Person> =>
  withRecords(async (records) => {
    const [former] = await records.query<{ id: string }>('select id from users where email = $1', [VISITOR]);
    if (former) await records.deleteAccount(former.id);
    return await records.user([role], { isEmailVerified: true, email: VISITOR, ...fields });
  });

const ENGLISH_WORDS = {
  signIn: 'Sign in',
  createOne: 'Create an account',
  signUp: 'Create your account',
  verify: 'Verify your email',
  yourAccount: 'Your account',
  secondStep: 'Verify it’s you',
  backToSignIn: 'Back to sign-in',
  forgotten: 'Forgot password?',
  reset: 'Reset your password',
  useRecoveryCode: 'Use a recovery code',
  usePasskey: 'Sign in with a passkey',
  confirmWithPasskey: 'Use your passkey',
  addPasskey: 'Add a passkey',
  turnOnSecondStep: 'Ask for a second step after the password',
  saveCodes: 'Download',
  codesSaved: 'I’ve saved my codes',
  company: 'Continue with Company',
  connectCompany: 'Connect Company',
  companyConnected: 'Company',
  connect: 'Connect',
  signOut: 'Sign out',
  signOutElsewhere: 'Sign out on all other devices',
  goOnAs: 'Continue as ',
  changeEmail: 'Change your email',
  deleteAccount: 'Delete account',
  accountExists: 'There is already an account for',
  wrongCode: 'That code is wrong or has expired.',
  codeUsedUp: 'That code no longer works after five wrong tries. Send a new one.',
  signInUsedUp: 'This sign-in has ended after five wrong tries. Sign in again.',
  stay: 'Stay signed in on this device',
  emailCode: 'Email me a code instead',
  checkEmail: 'Check your email',
  resend: 'Send a new code',
  resent: 'We sent a new code. The old one no longer works.',
};

const GERMAN_WORDS: typeof ENGLISH_WORDS = {
  signIn: 'Anmelden',
  createOne: 'Konto erstellen',
  signUp: 'Konto erstellen',
  verify: 'E‑Mail‑Adresse bestätigen',
  yourAccount: 'Ihr Konto',
  secondStep: 'Anmeldung bestätigen',
  backToSignIn: 'Zurück zur Anmeldung',
  forgotten: 'Passwort vergessen?',
  reset: 'Passwort zurücksetzen',
  useRecoveryCode: 'Wiederherstellungscode verwenden',
  usePasskey: 'Mit Passkey anmelden',
  confirmWithPasskey: 'Passkey verwenden',
  addPasskey: 'Passkey hinzufügen',
  turnOnSecondStep: 'Nach dem Passwort einen zweiten Schritt verlangen',
  saveCodes: 'Speichern',
  codesSaved: 'Ich habe meine Codes gespeichert',
  company: 'Weiter mit Company',
  connectCompany: 'Company verbinden',
  companyConnected: 'Company',
  connect: 'Verbinden',
  signOut: 'Abmelden',
  signOutElsewhere: 'Auf allen anderen Geräten abmelden',
  goOnAs: 'Weiter als ',
  changeEmail: 'E-Mail-Adresse ändern',
  deleteAccount: 'Konto löschen',
  accountExists: 'Es gibt schon ein Konto für',
  wrongCode: 'Dieser Code stimmt nicht oder ist abgelaufen.',
  codeUsedUp: 'Nach fünf Fehlversuchen gilt dieser Code nicht mehr. Bitte fordern Sie einen neuen an.',
  signInUsedUp: 'Nach fünf Fehlversuchen ist diese Anmeldung beendet. Bitte melden Sie sich erneut an.',
  stay: 'Auf diesem Gerät angemeldet bleiben',
  emailCode: 'Stattdessen Code per E-Mail erhalten',
  checkEmail: 'Prüfen Sie Ihr Postfach',
  resend: 'Neuen Code anfordern',
  resent: 'Wir haben einen neuen Code gesendet. Der alte gilt nicht mehr.',
};

/** How long a mailed code is valid, and how long no other one is sent. */
const CODE_SECONDS = 900;
const RESEND_SECONDS = 120;

/** For the platform and the page. */
const passTime = async (page: Page, seconds: number, redisUrl = getPlatform().redisUrl): Promise<void> => {
  await passTimeAt(redisUrl, seconds);
  await page.clock.setFixedTime((await page.evaluate<number>('Date.now()')) + seconds * 1_000);
};

/** Until each code that was mailed has expired, and another one can be sent. */
export const passCodeTime = (page: Page): Promise<void> => passTime(page, CODE_SECONDS);

/** Until another code can be sent, while the last one is still valid. @param redisUrl of the page's platform */
export const passResendTime = (page: Page, redisUrl?: string): Promise<void> =>
  passTime(page, RESEND_SECONDS, redisUrl);

/** Types five wrong codes, after which the right one is refused, too. */
export const exhaustCode = async (
  page: Page,
  words: Journey['words'],
  code: string,
  usedUp = words.codeUsedUp,
): Promise<void> => {
  const wrong = Array.from({ length: 5 }, (_, index) => String((Number(code) + index + 1) % 1_000_000));
  for (const [index, digits] of wrong.entries()) {
    await typeInto(page, 'code', digits.padStart(6, '0'));
    await page.getByText(index < 4 ? words.wrongCode : usedUp).waitFor();
  }
};

export type Journey = {
  kind: AccountKind;
  language: 'en' | 'de';
  options: BrowserContextOptions;
  words: typeof ENGLISH_WORDS;
  /** A person whose mails are in the language of the browser. */
  createPerson: (fields?: Fields) => Promise<Person>;
  /** The same for the address of a person at the provider, whose sign-in there says ACCOUNT_EXISTS. */
  createVisitor: () => Promise<Person>;
  /** A part of the subject of a mail with a code. */
  codeMail: string;
  base: string;
  client: () => ReturnType<typeof createAuthClient>;
};

const toJourney = (
  kind: AccountKind,
  role: 'CUSTOMER' | 'EMPLOYEE',
  language: Journey['language'],
): Journey => ({
  kind,
  language,
  options: language === 'de' ? GERMAN : ENGLISH,
  words: language === 'de' ? GERMAN_WORDS : ENGLISH_WORDS,
  createPerson: (fields) => createPerson(role, { language, ...fields }),
  createVisitor: () => createVisitor(role, { language }),
  codeMail: language === 'de' ? 'ode' : 'code',
  base: `/account/${kind.kind}`,
  client: () => createAuthClient(getPlatform().gatewayUrl, kind),
});

type Journeys = readonly [[string, Journey], [string, Journey]];

/** Each kind and each language once: the kinds differ in their data, and the languages in their words. */
export const JOURNEYS: Journeys = [
  ['customer, English', toJourney(CUSTOMER, 'CUSTOMER', 'en')],
  ['employee, German', toJourney(EMPLOYEE, 'EMPLOYEE', 'de')],
];

/** The journeys of each kind in the language that JOURNEYS does not have. */
export const OTHER_JOURNEYS: Journeys = [
  ['customer, German', toJourney(CUSTOMER, 'CUSTOMER', 'de')],
  ['employee, English', toJourney(EMPLOYEE, 'EMPLOYEE', 'en')],
];

/** Presses Tab until the control with this name is focused, as a person without a mouse does. */
const tabTo = async (page: Page, name: string): Promise<void> => {
  const read = `(({ activeElement: { ariaLabel, labels, textContent } }) =>
    ariaLabel ?? labels?.[0]?.textContent ?? textContent)(document)`;
  for (let presses = 0; presses < 80; presses += 1) {
    if ((await page.evaluate(read)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${name}`);
};

/** The own account has the sign-out in its menu. */
const openAccountMenu = async (page: Page, name: string): Promise<void> => {
  const menu = page.locator('.top-bar-person[aria-expanded=false]');
  const isSignOut = [ENGLISH_WORDS.signOut, GERMAN_WORDS.signOut].includes(name);
  if (isSignOut && (await menu.isVisible())) await menu.press('Enter');
};

export const press = async (page: Page, name: string): Promise<void> => {
  await openAccountMenu(page, name);
  await page
    .getByText(name, { exact: true })
    .or(page.getByLabel(name, { exact: true }))
    .first()
    .waitFor();
  await tabTo(page, name);
  const isSwitch = await page.evaluate('document.activeElement.matches("[role=switch]")');
  await page.keyboard.press(isSwitch ? 'Space' : 'Enter');
};

/** Replaces the content of the focused field by typing. */
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

/** On the sign-in page with a typed address: sends a code, and waits for the field that takes it. */
export const sendResetCode = async (page: Page, words: Journey['words']): Promise<void> => {
  await press(page, words.forgotten);
  await waitForHeading(page, words.reset);
  await page.locator('form button[type=submit]').press('Enter');
  await page.locator('input[name=code]:focus').waitFor();
};

/** On the page of the own account: adds a passkey with the authenticator of the page. */
export const addPasskey = async (
  page: Page,
  words: Journey['words'],
  { password }: Person,
): Promise<void> => {
  await press(page, words.addPasskey);
  await typeInto(page, 'name', PASSKEY);
  await tabAndType(page, 'currentPassword', password);
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText(PASSKEY).waitFor();
};

/** Returns the recovery codes. */
export const turnOnSecondStep = async (
  page: Page,
  words: Journey['words'],
  { password }: Person,
): Promise<string[]> => {
  await press(page, words.turnOnSecondStep);
  await typeInto(page, 'currentPassword', password);
  await page.keyboard.press('Enter');
  await press(page, words.saveCodes);
  const codes = await page.locator('.recovery-codes li').allInnerTexts();
  await press(page, words.codesSaved);
  return codes;
};
