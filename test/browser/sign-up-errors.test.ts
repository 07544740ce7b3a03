import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { browserTest } from './support/browser-test.ts';
import { REJECTED } from './support/frontend-tab.ts';
import { BREACHED_PASSWORD, getPlatform } from './support/platform.ts';

const SIGN_UP = '/api/v1/customers/auth/sign-up';
const EMAIL = uniqueEmail();
const MISSING = 'Bitte füllen Sie dieses Feld aus.';
const INVALID = 'Der Wert ist ungültig.';
const UNSTORABLE = 'Die Eingabe enthält Zeichen, die nicht erlaubt sind.';

const INVISIBLE = 'Die Eingabe enthält unsichtbare Zeichen, die nicht erlaubt sind.';

const atLeast = (limit: number) => `Bitte geben Sie mindestens ${limit} Zeichen ein.`;
const atMost = (limit: number) => `Bitte geben Sie höchstens ${limit} Zeichen ein.`;

type Case = [field: string, rule: string, value: unknown, message: string];

/** The errors that every text field can have. */
const ofText = (field: string): Case[] => [
  [field, 'type', [], INVALID],
  [field, 'unstorable', 'a\0', UNSTORABLE],
  [field, 'too-deep', JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`), INVALID],
];

const ofOptionalText = (field: string, maxLength: number): Case[] => [
  ...ofText(field),
  // An empty text is blank, too.
  [field, 'minLength', '', MISSING],
  [field, 'maxLength', 'x'.repeat(maxLength + 1), atMost(maxLength)],
  [field, 'blank', ' ', MISSING],
  [field, 'control-character', 'a\u202eb', INVISIBLE],
];

const CASES: readonly Case[] = [
  ...ofText('email'),
  ['email', 'required', undefined, MISSING],
  ['email', 'format', 'ada', 'Das Format ist nicht korrekt.'],
  ['email', 'maxLength', `x@${'y.'.repeat(125)}example.com`, atMost(254)],
  ...ofText('password'),
  ['password', 'required', undefined, MISSING],
  ['password', 'minLength', 'short', atLeast(8)],
  ['password', 'maxLength', 'x'.repeat(73), atMost(72)],
  ['password', 'max-bytes', 'ä'.repeat(40), 'Die Eingabe ist zu lang.'],
  [
    'password',
    'common-password',
    'Password1',
    'Viele Menschen verwenden dieses Passwort, daher ist es leicht zu erraten. Bitte wählen Sie ein anderes.',
  ],
  [
    'password',
    'password-is-email',
    EMAIL,
    'Das Passwort darf weder Ihre E-Mail-Adresse noch der Teil vor dem @ sein.',
  ],
  ['password', 'breached-password', BREACHED_PASSWORD, 'Das Passwort ist aus einem Datenleck bekannt.'],
  ...ofOptionalText('firstName', 100),
  ...ofOptionalText('lastName', 100),
  ...ofOptionalText('phone', 32),
];

/** Values that a visitor cannot type are put into the request instead of the field. */
const isTyped = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && value !== '' && !value.includes('\0'));

const signUp = async (page: Page, fields: Record<string, unknown>) => {
  const sent = Object.entries(fields).filter(([, value]) => !isTyped(value));
  for (const input of await page.locator('input').all()) {
    const value = fields[(await input.getAttribute('name')) ?? ''];
    await input.fill(isTyped(value) ? String(value ?? '') : 'x');
  }
  await page.route(`**${SIGN_UP}`, (route) =>
    route.continue({ postData: { ...route.request().postDataJSON(), ...Object.fromEntries(sent) } }),
  );
  const [response] = await Promise.all([
    page.waitForResponse((each) => each.request().method() === 'POST'),
    page.getByRole('button', { name: 'Konto anlegen' }).click(),
  ]);
  await page.waitForFunction("document.querySelector('p[role=status]').textContent");
  const shown = await page.locator('output').all();
  const texts = await Promise.all(
    shown.map(async (output) => [await output.getAttribute('id'), await output.innerText()]),
  );
  return {
    rules: ((await response.json()).details ?? []).map(({ rule }: { rule: string }) => rule),
    errors: Object.fromEntries(texts.filter(([, text]) => text !== '')),
    status: await page.locator('p[role=status]').innerText(),
  };
};

describe('sign-up form in German', () => {
  it(
    'shows the error of every rule beside its field, by rule and parameters alone',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser();
      browser.allowErrors(REJECTED);
      const page = await browser.open(`${getPlatform().origins.allowed}/sign-up`);
      for (const [field, rule, value, message] of CASES) {
        const { rules, errors, status } = await signUp(page, {
          email: EMAIL,
          password: PASSWORD,
          [field]: value,
        });
        expect(rules, field).to.include(rule);
        expect(errors, rule).to.deep.equal({ [`${field}-error`]: message });
        expect(status).to.equal('Bitte prüfen Sie die markierten Felder.');
      }
    }),
  );

  it(
    'signs up without optional fields, once for each address',
    browserTest(async (openBrowser) => {
      const browser = await openBrowser();
      browser.allowErrors(REJECTED);
      const page = await browser.open(`${getPlatform().origins.allowed}/sign-up`);
      const account = { email: uniqueEmail(), password: PASSWORD };
      expect(await signUp(page, account)).to.include({ status: account.email });
      expect(await signUp(page, account)).to.include({
        status: 'Zu dieser E-Mail-Adresse gibt es bereits ein Konto.',
      });
    }),
  );
});
