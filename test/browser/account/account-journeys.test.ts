import { uniqueEmail } from '@platform/shared/testing/builders';
import { codeIn } from '@platform/shared/testing/inbox';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import {
  inbox,
  openPage,
  openTab,
  pageUrl,
  REJECTED,
  readPolicyViolations,
  signInByKeyboard,
  waitForHeading,
} from '../console/console-tab.ts';
import { browserTest } from '../support/browser-test.ts';
import { JOURNEYS, passCodeTime, press, tabAndType, typeInto } from './person.ts';

const PASSWORD = 'Correct horse 1';

for (const [title, journey] of JOURNEYS)
  describe(`account by keyboard alone: ${title}`, () => {
    const { options, words, base, client, codeMail } = journey;

    it(
      'is created with the code of the mail, after one that has expired, with reloads and the back button',
      browserTest(async (openBrowser) => {
        const email = uniqueEmail();
        const page = await openTab(openBrowser, options, `${base}/sign-in`);
        await typeInto(page, 'email', email);
        await press(page, words.createOne);
        await waitForHeading(page, words.signUp);
        await page.goBack();
        await waitForHeading(page, words.signIn);
        await page.goForward();
        await waitForHeading(page, words.signUp);
        expect(await page.locator('input[name=email]').inputValue()).to.equal(email);
        await tabAndType(page, 'password', PASSWORD);
        await page.keyboard.press('Enter');
        await waitForHeading(page, words.verify);
        const expired = codeIn(await inbox().untilMail(email, codeMail));
        await page.reload();
        await waitForHeading(page, words.verify);
        await passCodeTime(page);
        await typeInto(page, 'code', expired);
        await page.locator('input[name=code][aria-invalid=true]:focus').waitFor();
        await page.getByText(words.wrongCode).waitFor();
        await press(page, words.resend);
        await page.getByText(words.resent).waitFor();
        await typeInto(page, 'code', codeIn(await inbox().untilMail(email, codeMail, 2)));
        await waitForHeading(page, words.yourAccount);
        expect(await readPolicyViolations(page)).to.deep.equal([]);
      }),
    );

    it(
      'changes its address, and is deleted with a factor',
      browserTest(async (openBrowser) => {
        const person = await journey.createPerson();
        const newEmail = uniqueEmail();
        const page = await openTab(openBrowser, options, `${base}/`);
        await signInByKeyboard(page, person);
        await press(page, words.changeEmail);
        await typeInto(page, 'newEmail', newEmail);
        await tabAndType(page, 'currentPassword', person.password);
        await page.keyboard.press('Enter');
        await typeInto(page, 'code', codeIn(await inbox().untilMail(newEmail, '')));
        await page.getByRole('status').getByText(newEmail).waitFor();

        const owner = { ...person, email: newEmail };
        const { secret, recoveryCodes } = await client().enableTotp(
          await client().openDevice(owner),
          person.password,
        );
        // The app has ended the session of this browser. Nothing was typed, so the page names nobody any more.
        await page.reload();
        await waitForHeading(page, words.signIn);
        expect(await page.getByText(newEmail).count()).to.equal(0);
        await signInByKeyboard(page, { email: newEmail, password: person.password });
        await typeInto(page, 'totpCode', totpCode(secret, 1));
        await press(page, words.deleteAccount);
        await typeInto(page, 'typedEmail', newEmail);
        await tabAndType(page, 'currentPassword', person.password);
        await tabAndType(page, 'totpCode', '000000');
        await page.keyboard.press('Enter');
        await page.getByRole('dialog').locator('.notice, .field-error').first().waitFor();
        expect(await page.locator('input[name=typedEmail]').inputValue(), 'kept').to.equal(newEmail);
        await page.locator('select[name=factor]').focus();
        await page.keyboard.press('End');
        await tabAndType(page, 'recoveryCode', recoveryCodes[0] ?? '');
        await page.keyboard.press('Enter');
        await waitForHeading(page, words.signIn);
        expect(await readPolicyViolations(page)).to.deep.equal([]);
      }),
    );

    it(
      'is signed in, signed out and signed out elsewhere in two tabs and on two devices',
      browserTest(async (openBrowser) => {
        const [browser, device] = [await openBrowser(options), await openBrowser(options)];
        for (const each of [browser, device]) each.allowErrors(REJECTED);
        const person = await journey.createPerson();
        const page = await openPage(browser, `${base}/sign-in`);
        const tab = await browser.open(pageUrl(`${base}/sign-in`));
        await waitForHeading(tab, words.signIn);
        await page.bringToFront();
        await signInByKeyboard(page, person);
        await waitForHeading(page, words.yourAccount);
        await tab.bringToFront();
        await tab.getByText(person.email, { exact: true }).waitFor();
        await press(tab, `${words.goOnAs}Ada`);
        await waitForHeading(tab, words.yourAccount);

        const second = await openPage(device, `${base}/`);
        await signInByKeyboard(second, person);
        await waitForHeading(second, words.yourAccount);
        await tab.reload();
        await press(tab, words.signOutElsewhere);
        await tab.keyboard.press('Tab');
        await tab.keyboard.press('Enter');
        await tab.getByRole('status').locator('*').first().waitFor();
        await second.reload();
        await second.locator('input[name=password]').waitFor();
        await press(tab, words.signOut);
        await waitForHeading(tab, words.signIn);
        await waitForHeading(page, words.signIn);
      }),
    );
  });
