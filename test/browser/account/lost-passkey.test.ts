import { expect } from 'chai';
import { openTab, readPolicyViolations, signInByKeyboard, waitForHeading } from '../console/console-tab.ts';
import { accountWordsOf } from '../page-words.ts';
import { browserTest } from '../support/browser-test.ts';
import { addVirtualAuthenticator } from '../support/virtual-authenticator.ts';
import { addPasskey, JOURNEYS, PASSKEY, press, tabAndType, turnOnSecondStep, typeInto } from './person.ts';

for (const [title, journey] of JOURNEYS)
  describe(`lost passkey by keyboard alone: ${title}`, () => {
    const { language, options, words, base } = journey;
    const { own, signingIn } = accountWordsOf(language);

    it(
      'is replaced by a recovery code and removed with another one, after which the password is enough',
      browserTest(async (openBrowser) => {
        const person = await journey.createPerson();
        const page = await openTab(openBrowser, options, `${base}/`);
        const authenticator = await addVirtualAuthenticator(page);
        await signInByKeyboard(page, person);
        await addPasskey(page, words, person);
        const [first = '', second = ''] = await turnOnSecondStep(page, words, person);
        await authenticator.remove();
        await press(page, words.signOut);
        await waitForHeading(page, words.signIn);

        await signInByKeyboard(page, person);
        await waitForHeading(page, words.secondStep);
        await page.getByText(signingIn.lostPasskey).waitFor();
        await press(page, words.useRecoveryCode);
        await page.reload();
        await waitForHeading(page, words.secondStep);
        // The passkey is asked for in vain, and its request does not keep anybody from another way.
        await press(page, words.confirmWithPasskey);
        await press(page, words.useRecoveryCode);
        await typeInto(page, 'recoveryCode', first);
        await page.keyboard.press('Enter');
        await waitForHeading(page, words.yourAccount);

        await press(page, own.removePasskey(PASSKEY));
        await typeInto(page, 'currentPassword', person.password);
        await page.locator('select[name=factor]').focus();
        await page.keyboard.press('End');
        await tabAndType(page, 'recoveryCode', second);
        await page.keyboard.press('Enter');
        await page.getByRole('status').getByText(own.passkeyRemoved).waitFor();
        expect(await page.getByText(PASSKEY, { exact: true }).count()).to.equal(0);

        await press(page, words.signOut);
        await waitForHeading(page, words.signIn);
        await signInByKeyboard(page, person);
        await waitForHeading(page, words.yourAccount);
        expect(await readPolicyViolations(page)).to.deep.equal([]);
      }),
    );
  });
