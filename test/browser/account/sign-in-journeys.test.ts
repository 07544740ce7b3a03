import { codeIn } from '@platform/shared/testing/inbox';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import {
  inbox,
  openTab,
  pageUrl,
  readPolicyViolations,
  signInByKeyboard,
  waitForHeading,
} from '../console/console-tab.ts';
import { browserTest, type OpenBrowser } from '../support/browser-test.ts';
import { addVirtualAuthenticator } from '../support/virtual-authenticator.ts';
import {
  addPasskey,
  JOURNEYS,
  type Journey,
  passCodeTime,
  press,
  sendResetCode,
  tabAndType,
  turnOnSecondStep,
  typeInto,
} from './person.ts';

const NEW_PASSWORD = 'A better horse 2';

/** Opens the sign-in page, and signs in with the password of a person who has an app. */
const openSecondStep = async (
  openBrowser: OpenBrowser,
  { options, base, words, client, createPerson }: Journey,
) => {
  const person = await createPerson();
  const { secret, recoveryCodes } = await client().enableTotp(
    await client().openDevice(person),
    person.password,
  );
  const page = await openTab(openBrowser, options, `${base}/sign-in`);
  await signInByKeyboard(page, person);
  await waitForHeading(page, words.secondStep);
  return { page, person, secret, recoveryCodes };
};

for (const [title, journey] of JOURNEYS)
  describe(`sign-in by keyboard alone: ${title}`, () => {
    const { kind, options, words, base, client } = journey;

    it(
      'with an app, after a wrong code, a reload and the back button',
      browserTest(async (openBrowser) => {
        const { page, person, secret } = await openSecondStep(openBrowser, journey);
        await typeInto(page, 'totpCode', '000000');
        await page.keyboard.press('Enter');
        await page.locator('input[name=totpCode][aria-invalid=true]:focus').waitFor();
        await page.reload();
        await waitForHeading(page, words.secondStep);
        await page.locator('input[name=totpCode]:focus').waitFor();
        await page.goBack();
        await waitForHeading(page, words.signIn);
        expect(await page.locator('input[name=email]').inputValue()).to.equal(person.email);
        await tabAndType(page, 'password', person.password);
        await page.keyboard.press('Enter');
        await typeInto(page, 'totpCode', totpCode(secret, 1).replace(/^.../, '$& '));
        await page.keyboard.press('Enter');
        await waitForHeading(page, words.yourAccount);
        await page.reload();
        await waitForHeading(page, words.yourAccount);
        await page.goBack();
        await page.getByText(person.email, { exact: true }).waitFor();
        expect(await page.locator('input[name=password]').count(), 'asks nobody twice').to.equal(0);
      }),
    );

    it(
      'with a recovery code, which works once',
      browserTest(async (openBrowser) => {
        const { page, person, recoveryCodes } = await openSecondStep(openBrowser, journey);
        const [code = ''] = recoveryCodes;
        await press(page, words.useRecoveryCode);
        await typeInto(page, 'recoveryCode', code);
        await page.keyboard.press('Enter');
        await waitForHeading(page, words.yourAccount);
        await press(page, words.signOut);
        await waitForHeading(page, words.signIn);
        await signInByKeyboard(page, person);
        await press(page, words.useRecoveryCode);
        await typeInto(page, 'recoveryCode', code);
        await page.keyboard.press('Enter');
        await page.locator('input[name=recoveryCode][aria-invalid=true]:focus').waitFor();
        expect(await page.locator('input[name=recoveryCode]').inputValue(), 'what was typed').to.equal(code);
      }),
    );

    it(
      'with a passkey as the second step, and then alone',
      browserTest(async (openBrowser) => {
        const person = await journey.createPerson();
        const page = await openTab(openBrowser, options, `${base}/`);
        const authenticator = await addVirtualAuthenticator(page);
        await signInByKeyboard(page, person);
        await addPasskey(page, words, person);
        // A passkey alone leaves the password sufficient.
        await turnOnSecondStep(page, words, person);
        // Otherwise autofill would sign in at once, as this authenticator confirms everything.
        await authenticator.setUserPresent(false);
        await press(page, words.signOut);
        await waitForHeading(page, words.signIn);
        await signInByKeyboard(page, person);
        await waitForHeading(page, words.secondStep);
        await authenticator.setUserPresent(true);
        await press(page, words.confirmWithPasskey);
        await waitForHeading(page, words.yourAccount);
        await authenticator.setUserPresent(false);
        await press(page, words.signOut);
        await waitForHeading(page, words.signIn);
        await press(page, words.usePasskey);
        await authenticator.setUserPresent(true);
        await waitForHeading(page, words.yourAccount);
        expect(await readPolicyViolations(page)).to.deep.equal([]);
      }),
    );

    it(
      'with a provider, and then with the browser that is signed in there',
      browserTest(async (openBrowser) => {
        const page = await openTab(openBrowser, options, `${base}/sign-in`);
        await press(page, words.company);
        await page.getByLabel('Account').selectOption(`${kind.kind}@example.com`);
        await page.getByRole('button', { name: 'Sign in' }).press('Enter');
        await waitForHeading(page, words.yourAccount);
        await page.goBack();
        expect(page.url(), 'no code in the history').not.to.include('code=');
      }),
    );

    it(
      'with a new password, where a second step waits',
      browserTest(async (openBrowser) => {
        const person = await journey.createPerson();
        const { secret } = await client().enableTotp(await client().openDevice(person), person.password);
        const page = await openTab(openBrowser, options, `${base}/sign-in`);
        await typeInto(page, 'email', person.email);
        await press(page, words.forgotten);
        await waitForHeading(page, words.reset);
        await page.goBack();
        await waitForHeading(page, words.signIn);
        await press(page, words.forgotten);
        expect(await page.locator('input[name=email]').inputValue(), 'typed once').to.equal(person.email);
        await page.locator('form button[type=submit]').press('Enter');
        await typeInto(page, 'code', '000000');
        await tabAndType(page, 'newPassword', NEW_PASSWORD);
        await page.keyboard.press('Enter');
        await page.getByText(words.wrongCode).first().waitFor();
        expect(await page.locator('input[name=newPassword]').inputValue(), 'kept').to.equal(NEW_PASSWORD);
        const code = codeIn(await inbox().untilMail(person.email, journey.codeMail));
        await page.locator('input[name=code]').focus();
        await typeInto(page, 'code', code);
        await page.keyboard.press('Enter');
        await waitForHeading(page, words.secondStep);
        await page.reload();
        await waitForHeading(page, words.secondStep);
        await typeInto(page, 'totpCode', totpCode(secret, 1));
        await page.keyboard.press('Enter');
        await waitForHeading(page, words.yourAccount);
      }),
    );

    it(
      'with a new password, but not by a code that was used or has expired',
      browserTest(async (openBrowser) => {
        const person = await journey.createPerson();
        const page = await openTab(openBrowser, options, `${base}/sign-in`);
        const untilCode = async (count: number): Promise<string> =>
          codeIn(await inbox().untilMail(person.email, journey.codeMail, count));
        const reset = async (code: string, newPassword: string): Promise<void> => {
          await typeInto(page, 'code', code);
          await tabAndType(page, 'newPassword', newPassword);
          await page.keyboard.press('Enter');
        };
        await typeInto(page, 'email', person.email);
        await sendResetCode(page, words);
        const used = await untilCode(1);
        // After a reload, the mailed code is still valid, and no other one is sent.
        await page.reload();
        await waitForHeading(page, words.reset);
        await reset(used, NEW_PASSWORD);
        await waitForHeading(page, words.yourAccount);
        await press(page, words.signOut);

        await waitForHeading(page, words.signIn);
        await typeInto(page, 'email', person.email);
        await sendResetCode(page, words);
        await reset(used, person.password);
        await page.getByText(words.wrongCode).waitFor();
        await passCodeTime(page);

        await press(page, words.resend);
        // The second mail came at once, because an accepted code ends the wait.
        await page.locator('input[name=code]:focus').waitFor();
        const expired = await untilCode(3);
        await passCodeTime(page);
        await reset(expired, person.password);
        await page.getByText(words.wrongCode).waitFor();

        await press(page, words.resend);
        await page.locator('input[name=code]:focus').waitFor();
        await reset(await untilCode(4), person.password);
        await waitForHeading(page, words.yourAccount);
        expect(await readPolicyViolations(page)).to.deep.equal([]);
      }),
    );

    it(
      'after ACCOUNT_EXISTS, and connects the provider with one button, without the password again',
      browserTest(async (openBrowser) => {
        const person = await journey.createVisitor();
        const page = await openTab(openBrowser, options, `${base}/sign-in?returnTo=%2Fconsole%2F`);
        await press(page, words.company);
        await page.getByLabel('Account').selectOption(person.email);
        await page.getByRole('button', { name: 'Sign in' }).press('Enter');
        await page.getByText(words.accountExists).waitFor();
        expect(await page.locator('input[name=email]').inputValue()).to.equal(person.email);
        await page.reload();
        await page.getByText(words.accountExists).waitFor();
        await tabAndType(page, 'password', person.password);
        await page.keyboard.press('Enter');
        await page.locator('main:not(:has(input[name=email])) .person').waitFor();
        expect(await page.locator('input[name=currentPassword]').count()).to.equal(0);
        await press(page, words.connect);
        // The provider knows this browser.
        await page.waitForURL(pageUrl('/console/'));
        await page.goto(pageUrl(`${base}/`));
        await page.getByRole('button', { name: /^Disconnect Company|^Company trennen/ }).waitFor();
        expect(await readPolicyViolations(page)).to.deep.equal([]);
      }),
    );
  });
