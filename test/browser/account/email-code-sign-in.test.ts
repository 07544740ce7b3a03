import { codeIn } from '@platform/shared/testing/inbox';
import { expect } from 'chai';
import { inbox, openPage, REJECTED, readPolicyViolations, waitForHeading } from '../console/console-tab.ts';
import { browserTest } from '../support/browser-test.ts';
import { JOURNEYS, press, typeInto } from './person.ts';

const DAY_SECONDS = 86_400;

for (const [title, { options, words, base, codeMail, createPerson }] of JOURNEYS)
  describe(`sign-in with a mailed code by keyboard alone: ${title}`, () => {
    it(
      'after a wrong one, and stays signed in for a month',
      browserTest(async (openBrowser) => {
        const browser = await openBrowser(options);
        browser.allowErrors(REJECTED);
        const person = await createPerson();
        const page = await openPage(browser, `${base}/sign-in`);
        await typeInto(page, 'email', person.email);
        await page.getByLabel(words.stay).press('Space');
        await press(page, words.emailCode);
        await waitForHeading(page, words.checkEmail);
        await typeInto(page, 'code', '000000');
        await page.locator('input[name=code][aria-invalid=true]:focus').waitFor();
        const code = codeIn(await inbox().untilMail(person.email, codeMail));
        await typeInto(page, 'code', code);
        await waitForHeading(page, words.yourAccount);
        const cookies = await page.context().cookies();
        const [refresh] = cookies.filter(({ name }) => name.endsWith('RefreshToken'));
        const days = ((refresh?.expires ?? 0) - Date.now() / 1_000) / DAY_SECONDS;
        expect(days).to.be.within(29, 30);
        expect(await readPolicyViolations(page)).to.deep.equal([]);
      }),
    );
  });
