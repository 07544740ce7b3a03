import { codeIn } from '@platform/shared/testing/inbox';
import { expect } from 'chai';
import { inbox, openTab, readPolicyViolations, waitForHeading } from '../console/console-tab.ts';
import { browserTest } from '../support/browser-test.ts';
import { exhaustCode, JOURNEYS, passCodeTime, passResendTime, press, typeInto } from './person.ts';

const DAY_SECONDS = 86_400;

for (const [title, { options, words, base, codeMail, createPerson }] of JOURNEYS)
  describe(`sign-in with a mailed code by keyboard alone: ${title}`, () => {
    it(
      'after a wrong one, and stays signed in for a month',
      browserTest(async (openBrowser) => {
        const person = await createPerson();
        const page = await openTab(openBrowser, options, `${base}/sign-in`);
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

    it(
      'not after five wrong tries, nor with an expired code, but with the next one',
      browserTest(async (openBrowser) => {
        const { email } = await createPerson();
        const untilCode = async (count: number) => codeIn(await inbox().untilMail(email, codeMail, count));
        const page = await openTab(openBrowser, options, `${base}/sign-in`);
        await typeInto(page, 'email', email);
        await press(page, words.emailCode);
        await waitForHeading(page, words.checkEmail);
        const exhausted = await untilCode(1);
        await exhaustCode(page, words, exhausted);
        await typeInto(page, 'code', exhausted);
        await page.locator('input[name=code][aria-invalid=true]:focus').waitFor();
        await page.getByText(words.codeUsedUp).waitFor();
        await passResendTime(page);
        await press(page, words.resend);
        await page.getByText(words.resent).waitFor();

        const expired = await untilCode(2);
        await passCodeTime(page);
        await typeInto(page, 'code', expired);
        await page.getByText(words.wrongCode).waitFor();
        // The page knows that the code has expired, so a reload sends another one.
        await page.reload();
        await waitForHeading(page, words.checkEmail);
        await typeInto(page, 'code', await untilCode(3));
        await waitForHeading(page, words.yourAccount);
        expect(await readPolicyViolations(page)).to.deep.equal([]);
      }),
    );
  });
