import { uniqueEmail } from '@platform/shared/testing/builders';
import { codeIn } from '@platform/shared/testing/inbox';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { inbox, openPage, REJECTED, readPolicyViolations, waitForHeading } from '../console/console-tab.ts';
import { type AccountWords, accountWordsOf } from '../page-words.ts';
import { browserTest, PHONE } from '../support/browser-test.ts';
import { createFullAccount, PASSKEY } from './full-account.ts';
import { JOURNEYS, type Journey, OTHER_JOURNEYS, type Person } from './person.ts';

const NEW_PASSWORD = 'A better horse 2';

/** The controls that a thumb misses: lower than 24 px, or not within the width of the page. */
const MISSED = `[...document.querySelectorAll('button, select, .field-input, .code-entry, .field-check, [role=switch]')]
  .filter((control) => control.checkVisibility({ visibilityProperty: true }))
  .filter((control) => {
    const { left, right, height } = control.getBoundingClientRect();
    return height < 24 || left < 0 || right > innerWidth;
  })
  .map((control) => control.ariaLabel ?? (control.textContent || control.outerHTML))`;

/** Scripts that a test evaluates count as an action of the person in Chromium. This counts only taps. */
const COUNT_TAPS_ONLY = `(() => {
  let hasBeenActive = false;
  addEventListener('pointerdown', () => { hasBeenActive = true; }, { capture: true });
  Object.defineProperty(navigator, 'userActivation', { get: () => ({ hasBeenActive }) });
})()`;

const expectFits = async (page: Page, name: string): Promise<void> => {
  expect(await page.evaluate('document.documentElement.scrollWidth - 390'), name).to.be.at.most(0);
  expect(await page.evaluate(MISSED), name).to.deep.equal([]);
};

/** Fails if something covers the control, as each tap does. */
const tap = (page: Page, name: string): Promise<void> =>
  page
    .getByRole('button', { name, exact: true })
    .or(page.getByRole('link', { name, exact: true }))
    .or(page.getByRole('menuitem', { name, exact: true }))
    .first()
    .tap();

/** Types into the field after a tap. */
const enter = async (page: Page, field: string, text: string): Promise<void> => {
  const input = page.locator(`input[name=${field}]`);
  await input.tap();
  await input.pressSequentially(text);
};

const untilPage = async (page: Page, heading: string): Promise<void> => {
  await waitForHeading(page, heading);
  await expectFits(page, heading);
};

const signIn = async (page: Page, { signIn: submit }: Journey['words'], person: Person): Promise<void> => {
  await untilPage(page, submit);
  await enter(page, 'email', person.email);
  await enter(page, 'password', person.password);
  await tap(page, submit);
};

type Stage = Journey & { page: Page; texts: AccountWords };

const enterMailedCode = async ({ page, codeMail }: Stage, email: string): Promise<void> =>
  enter(page, 'code', codeIn(await inbox().untilMail(email, codeMail)));

const signUp = async (stage: Stage): Promise<void> => {
  const { page, words, texts } = stage;
  const email = uniqueEmail();
  await untilPage(page, words.signIn);
  await tap(page, words.createOne);
  await untilPage(page, words.signUp);
  await enter(page, 'email', email);
  await enter(page, 'password', NEW_PASSWORD);
  await tap(page, texts.account.signUp);
  await untilPage(page, words.verify);
  await enterMailedCode(stage, email);
  await untilPage(page, words.yourAccount);
};

const signInWithCode = async (stage: Stage): Promise<void> => {
  const { page, words, createPerson } = stage;
  const { email } = await createPerson();
  await untilPage(page, words.signIn);
  await enter(page, 'email', email);
  await tap(page, words.emailCode);
  await untilPage(page, words.checkEmail);
  await enterMailedCode(stage, email);
  await untilPage(page, words.yourAccount);
};

const resetPassword = async (stage: Stage): Promise<void> => {
  const { page, words, texts, createPerson } = stage;
  const { email } = await createPerson();
  await untilPage(page, words.signIn);
  await enter(page, 'email', email);
  await tap(page, words.forgotten);
  await untilPage(page, words.reset);
  await tap(page, texts.signingIn.sendCode);
  await enterMailedCode(stage, email);
  await enter(page, 'newPassword', NEW_PASSWORD);
  await expectFits(page, 'new password');
  await tap(page, texts.signingIn.setPassword);
  await untilPage(page, words.yourAccount);
};

const completeSecondStep = async (stage: Stage): Promise<void> => {
  const { page, words, texts, client, createPerson } = stage;
  const person = await createPerson();
  const { secret } = await client().enableTotp(await client().openDevice(person), person.password);
  await signIn(page, words, person);
  await untilPage(page, words.secondStep);
  await tap(page, words.useRecoveryCode);
  await page.locator('input[name=recoveryCode]').waitFor();
  await expectFits(page, words.useRecoveryCode);
  await tap(page, texts.signingIn.useAppInstead);
  await enter(page, 'totpCode', totpCode(secret, 1));
  await untilPage(page, words.yourAccount);
};

const openDialogs = async (stage: Stage): Promise<void> => {
  const { page, words, texts } = stage;
  const { own, common } = texts;
  const { person, secret } = await createFullAccount(stage);
  await signIn(page, words, person);
  await enter(page, 'totpCode', totpCode(secret, 1));
  await page.getByRole('main').getByText(PASSKEY).waitFor();
  await expectFits(page, 'full account');
  const dialog = page.locator('dialog[open]');
  for (const button of [
    own.changeEmail,
    own.addPasskey,
    own.renamePasskey(PASSKEY),
    own.removePasskey(PASSKEY),
    own.changePassword,
    own.removeApp,
    own.newCodes,
    own.disconnectFrom('Company'),
    own.signOutElsewhere,
    own.deleteAccount,
  ]) {
    await tap(page, button);
    await dialog.waitFor();
    await expectFits(page, button);
    await dialog.getByRole('button', { name: common.closeDialog, exact: true }).tap();
    await dialog.waitFor({ state: 'hidden' });
  }
  await tap(page, own.editProfile);
  await page.locator('input[name=firstName]').fill('Katharina');
  await tap(page, own.save);
  await page.getByRole('status').getByText(own.profileSaved).waitFor();
  await page.locator('.top-bar-person').tap();
  await tap(page, words.signOut);
  await untilPage(page, words.signIn);
};

const BY_TOUCH: Record<string, (stage: Stage) => Promise<void>> = {
  'creates an account': signUp,
  'signs in with a mailed code': signInWithCode,
  'gets a new password': resetPassword,
  'completes the second step': completeSecondStep,
  'opens each dialog of the own account': openDialogs,
};

for (const [title, journey] of [...JOURNEYS, ...OTHER_JOURNEYS])
  describe(`account by touch on a phone: ${title}`, () => {
    const { language, options, words, base } = journey;

    for (const [name, run] of Object.entries(BY_TOUCH))
      it(
        name,
        browserTest(async (openBrowser) => {
          const browser = await openBrowser({ ...options, ...PHONE });
          browser.allowErrors(REJECTED);
          await browser.context.addInitScript(COUNT_TAPS_ONLY);
          const page = await openPage(browser, `${base}/sign-in`);
          await waitForHeading(page, words.signIn);
          // No keyboard covers the page.
          expect(await page.evaluate('document.activeElement === document.body')).to.equal(true);
          await run({ ...journey, page, texts: accountWordsOf(language) });
          expect(await readPolicyViolations(page)).to.deep.equal([]);
        }),
      );
  });
