import { waitFor } from '@platform/shared/testing/poll';
import { totpCode } from '@platform/shared/testing/totp';
import type { Page } from 'playwright-core';
import { pageUrl, signIn, waitForHeading } from '../console/console-tab.ts';
import type { AccountWords } from '../page-words.ts';
import { createFullAccount, PASSKEY } from './full-account.ts';
import type { Journey, Person } from './person.ts';

/** A page of one kind in one language, on which nobody is signed in. */
type Stage = Journey & {
  page: Page;
  texts: AccountWords;
  inspect: (name: string) => Promise<void>;
};

const submit = (page: Page): Promise<void> =>
  page
    .locator('dialog[open] button[type=submit]')
    .or(page.locator('main form button[type=submit]'))
    .last()
    .click();
const untilFieldError = (page: Page): Promise<void> => page.locator('main .field-error').first().waitFor();
const untilNotice = (page: Page): Promise<void> => page.locator('[role=alert] .notice').first().waitFor();

const open = async ({ page, base }: Stage, path: string): Promise<void> => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(pageUrl(base + path));
  await page.locator('h1').waitFor();
  await page.waitForLoadState('networkidle');
};

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).first().click();

const openSignedIn = async (stage: Stage, person: Person): Promise<void> => {
  await open(stage, '/');
  await signIn(stage.page, person);
  // Not the check box of the sign-in page, whose words contain these.
  await stage.page.getByText(stage.texts.own.thisDevice, { exact: true }).waitFor();
  await stage.page.waitForLoadState('networkidle');
};

/** Opens a dialog by its button, inspects it, and closes it. */
const inspectDialog = async ({ page, inspect }: Stage, button: string, name: string): Promise<void> => {
  await press(page, button);
  await page.locator('dialog[open]').waitFor();
  await inspect(name);
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'hidden' });
};

const showSignIn = async (stage: Stage): Promise<void> => {
  const { page, texts, inspect, createPerson } = stage;
  await open(stage, '/sign-in');
  await page.getByRole('button', { name: texts.signingIn.continueWith('Company') }).waitFor();
  await inspect('sign-in');
  await submit(page);
  await inspect('sign-in with errors');
  const person = { ...(await createPerson()), password: 'Wrong horse 1' };
  await signIn(page, person);
  await untilNotice(page);
  await inspect('sign-in with a wrong password');
  // The first pause lasts for one second only.
  await page.clock.setFixedTime(Date.now());
  for (let isLimited = false; !isLimited; ) {
    const responding = page.waitForResponse((response) => response.url().endsWith('/sign-in'));
    await signIn(page, person);
    isLimited = (await responding).status() === 429;
    const password = page.locator('input[name=password]');
    await waitFor(
      'an empty field after a wrong password',
      async () => isLimited || (await password.inputValue()) === '' || undefined,
    );
  }
  await page.locator('form button[type=submit][aria-disabled=true]').waitFor();
  await inspect('waiting after 429');
};

const showSignUp = async (stage: Stage): Promise<void> => {
  const { page, texts, inspect, createPerson } = stage;
  const person = await createPerson();
  await open(stage, '/sign-up');
  await inspect('sign-up');
  await submit(page);
  await inspect('sign-up with errors');
  await page.locator('input[name=email]').fill(person.email);
  await page.locator('input[name=password]').fill(person.password);
  await submit(page);
  await page.getByRole('link', { name: texts.account.signInThere }).waitFor();
  await inspect('sign-up with a taken address');
  await page.goto(pageUrl('/account/'));
  await waitForHeading(page, texts.account.chooseKind);
  await inspect('choice of the kind');
};

const showForgottenPassword = async (stage: Stage): Promise<void> => {
  const { page, texts, inspect, createPerson } = stage;
  const { email } = await createPerson();
  await open(stage, '/sign-in');
  await page.locator('input[name=email]').fill(email);
  await press(page, texts.signingIn.forgotten);
  await page.getByText(texts.signingIn.lead).waitFor();
  await inspect('forgotten password');
  await submit(page);
  await page.locator('input[name=code]').waitFor();
  await inspect('code and new password');
  await page.locator('input[name=code]').fill('000000');
  await page.locator('input[name=newPassword]').fill('A better horse 2');
  await submit(page);
  await untilFieldError(page);
  await inspect('wrong code and new password');
};

const showProvider = async (stage: Stage): Promise<void> => {
  const { page, texts, inspect, createVisitor } = stage;
  await open(stage, '/callback/company');
  await inspect('callback with nothing to complete');
  const visitor = await createVisitor();
  await open(stage, '/sign-in');
  await press(page, texts.signingIn.continueWith('Company'));
  await page.getByLabel('Account').selectOption(visitor.email);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText(texts.signingIn.accountExists).waitFor();
  await inspect('choice after ACCOUNT_EXISTS');
  await signIn(page, visitor);
  await page.locator('main:not(:has(input[name=email])) .person').waitFor();
  await inspect('connect');
  await page.reload();
  await page.locator('input[name=currentPassword]').waitFor();
  await inspect('connect with the password');
};

const showNewAccount = async (stage: Stage): Promise<void> => {
  const { page, texts, inspect, createPerson, client } = stage;
  const person = await createPerson({ isEmailVerified: false });
  await openSignedIn(stage, person);
  await inspect('new account');
  await inspectDialog(stage, texts.own.verify, 'verify in a dialog');
  await open(stage, '/verify');
  await inspect('verification');
  await page.locator('input[name=code]').fill('000000');
  await untilFieldError(page);
  await inspect('verification with a wrong code');
  await open(stage, '/sign-in');
  await page.getByText(texts.account.signedInAs).waitFor();
  await inspect('signed in already');
  await open(stage, '/missing');
  await inspect('missing page');
  await open(stage, '/');
  // Something was typed, so the page stays, and asks to sign in again.
  await press(page, texts.own.editProfile);
  await page.locator('input[name=firstName]').fill('Ada');
  await client().endOtherSessions(await client().openDevice(person));
  await submit(page);
  await page.locator('dialog[open] input[name=password]').waitFor();
  await inspect('sign-in again');
};

const showSetUp = async (stage: Stage): Promise<void> => {
  const { page, texts, inspect, createPerson } = stage;
  const { own } = texts;
  const person = await createPerson();
  await openSignedIn(stage, person);
  await inspectDialog(stage, own.connectTo('Company'), 'connect a provider');
  await press(page, own.changeEmail);
  await page.locator('input[name=newEmail]').fill(`new-${person.email}`);
  await page.locator('input[name=currentPassword]').fill(person.password);
  await submit(page);
  await page.locator('input[name=code]').waitFor();
  await inspect('code from the new address');
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'hidden' });

  await press(page, own.setUpApp);
  await page.locator('input[name=currentPassword]').fill(person.password);
  await inspect('set-up of the app');
  await submit(page);
  await page.locator('.enrolment-qr-code').waitFor();
  await inspect('code to scan');
  const secret = (await page.locator('dialog[open] .enrolment-secret').innerText()).replaceAll(' ', '');
  await page.locator('input[name=code]').fill(totpCode(secret));
  await page.locator('.recovery-codes').waitFor();
  await inspect('recovery codes');
  await page.locator('dialog[open]').getByRole('button', { name: own.saveFile }).click();
  await inspect('recovery codes, saved');
  await press(page, own.saved);
  await page.getByText(own.appOnNow).waitFor();
  await inspect('account after a change');
};

const showFullAccount = async (stage: Stage): Promise<void> => {
  const { page, texts, inspect } = stage;
  const { own, signingIn } = texts;
  const { person, secret } = await createFullAccount(stage);
  await open(stage, '/sign-in');
  await signIn(page, person);
  await page.locator('input[name=totpCode]').waitFor();
  await inspect('second step');
  await press(page, signingIn.useRecoveryCode);
  await page.locator('input[name=recoveryCode]').fill('aaaa-bbbb');
  await submit(page);
  await untilFieldError(page);
  await inspect('wrong recovery code');
  await press(page, signingIn.useAppInstead);
  await page.locator('input[name=totpCode]').fill(totpCode(secret, 1));
  await page.getByRole('main').getByText(PASSKEY).waitFor();
  await page.waitForLoadState('networkidle');
  await inspect('account');
  const dialogs = {
    profile: own.editProfile,
    'change of the address': own.changeEmail,
    'change of the password': own.changePassword,
    'new recovery codes': own.newCodes,
    'removal of the app': own.removeApp,
    'new passkey': own.addPasskey,
    'name of a passkey': own.renamePasskey(PASSKEY),
    'removal of a passkey': own.removePasskey(PASSKEY),
    'disconnection of a provider': own.disconnectFrom('Company'),
    'sign-out elsewhere': own.signOutElsewhere,
    deletion: own.deleteAccount,
  };
  for (const [name, button] of Object.entries(dialogs)) await inspectDialog(stage, button, name);
  await press(page, own.deleteAccount);
  await submit(page);
  await page.locator('dialog[open] .field-error').first().waitFor();
  await inspect('deletion with errors');
};

/** Every screen and dialog, each part in a browser of its own. */
export const PARTS: Record<string, (stage: Stage) => Promise<void>> = {
  'sign-in': showSignIn,
  'sign-up': showSignUp,
  'forgotten password': showForgottenPassword,
  'sign-in with a provider': showProvider,
  'new account': showNewAccount,
  'set-up': showSetUp,
  'own account': showFullAccount,
};
