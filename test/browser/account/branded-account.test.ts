import { uniqueEmail } from '@platform/shared/testing/builders';
import { codeIn } from '@platform/shared/testing/inbox';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { openTab, readPolicyViolations, waitForHeading } from '../console/console-tab.ts';
import { accountWordsOf } from '../page-words.ts';
import { BRAND, startBrandedPlatform } from '../support/branded-platform.ts';
import { browserTest } from '../support/browser-test.ts';
import { inspectLightAndDark } from '../support/inspect-page.ts';
import { JOURNEYS, press, sendResetCode, tabAndType, typeInto } from './person.ts';

const PASSWORD = 'Correct horse 1';
const NEW_PASSWORD = 'A better horse 2';

/** The paths of requests with a solved challenge, as they are sent. */
const watchSolutions = (page: Page): string[] => {
  const paths: string[] = [];
  page.on('request', (request) => {
    if (request.headers()['x-bot-check'])
      paths.push(new URL(request.url()).pathname.replace(/.*\/auth\//, ''));
  });
  return paths;
};

for (const [title, { language, options, words, base, codeMail }] of JOURNEYS)
  describe(`account with a bot check and a brand: ${title}`, () => {
    it(
      'is created and gets a new password by keyboard alone, and has no axe finding and no overflow',
      browserTest(async (openBrowser) => {
        const { origin, inbox } = await startBrandedPlatform();
        const page = await openTab(openBrowser, options, `${origin}${base}/sign-in`);
        const inspect = (name: string) => inspectLightAndDark(page, `branded ${name} ${language}`);
        const solutions = watchSolutions(page);
        const email = uniqueEmail();
        await waitForHeading(page, words.signIn);
        expect(await page.title()).to.include(BRAND.name);
        expect(
          await page.evaluate(`getComputedStyle(document.querySelector('.button-main')).backgroundColor`),
        ).to.equal(BRAND.colour);
        await inspect('sign-in');
        await typeInto(page, 'email', email);
        await press(page, words.createOne);
        await waitForHeading(page, words.signUp);
        await inspect('sign-up');
        await tabAndType(page, 'password', PASSWORD);
        await page.keyboard.press('Enter');
        await waitForHeading(page, words.verify);
        await typeInto(page, 'code', codeIn(await inbox.untilMail(email, codeMail)));
        await waitForHeading(page, words.yourAccount);
        const { own } = accountWordsOf(language);
        await page.getByText(own.thisDevice, { exact: true }).waitFor();
        await inspect('account');
        await press(page, own.deleteAccount);
        await page.locator('dialog[open]').waitFor();
        await inspect('deletion');
        await page.keyboard.press('Escape');
        await press(page, words.signOut);

        await waitForHeading(page, words.signIn);
        await typeInto(page, 'email', email);
        await sendResetCode(page, words);
        await typeInto(page, 'code', codeIn(await inbox.untilMail(email, codeMail, 2)));
        await tabAndType(page, 'newPassword', NEW_PASSWORD);
        await page.keyboard.press('Enter');
        await waitForHeading(page, words.yourAccount);
        expect(solutions).to.deep.equal(['sign-up', 'reset-password/email/code/send']);
        expect(await readPolicyViolations(page)).to.deep.equal([]);
      }),
    ).timeout(600_000);
  });
