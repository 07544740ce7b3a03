import { createAuthClient } from '@platform/shared/testing/auth-client';
import { codeIn, createInboxClient } from '@platform/shared/testing/inbox';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import { openTab, readPolicyViolations, signInByKeyboard, waitForHeading } from '../console/console-tab.ts';
import { browserTest, type OpenBrowser } from '../support/browser-test.ts';
import { exhaustCode, JOURNEYS, passResendTime, press, tabAndType, typeInto } from './person.ts';

describe('sign-in on a new device where a code is asked for', () => {
  let running: RunningStack;
  let records: Records;

  before('start a platform with NEW_DEVICE_CODE', async () => {
    running = await startStack({ PAGES: 'on', NEW_DEVICE_CODE: 'on' });
    records = createRecords(running.stack.databaseUrl);
  });
  after('stop it', async () => {
    await records?.close();
    await running?.stop();
  });

  for (const [title, { kind, options, words, base, codeMail }] of JOURNEYS) {
    /** Signs a new person in with the password, until the page asks for the code. */
    const openCodeStep = async (openBrowser: OpenBrowser) => {
      const { gatewayUrl, inboxUrl } = running.stack;
      const person = await createAuthClient(gatewayUrl, kind, undefined, records).createVerifiedAccount();
      const untilCode = async (count: number) =>
        codeIn(await createInboxClient(inboxUrl).untilMail(person.email, codeMail, count));
      const page = await openTab(
        openBrowser,
        options,
        `${gatewayUrl.replace('127.0.0.1', 'localhost')}${base}/sign-in`,
      );
      await signInByKeyboard(page, person);
      await waitForHeading(page, words.checkEmail);
      return { person, page, code: await untilCode(1), untilCode };
    };

    it(
      `goes on after a reload and the back button, and asks a known device for nothing: ${title}`,
      browserTest(async (openBrowser) => {
        const { person, page, code } = await openCodeStep(openBrowser);
        await page.reload();
        await waitForHeading(page, words.checkEmail);
        await page.getByText(person.email, { exact: true }).waitFor();
        await page.goBack();
        await waitForHeading(page, words.signIn);
        expect(await page.locator('input[name=email]').inputValue()).to.equal(person.email);
        await tabAndType(page, 'password', person.password);
        await page.keyboard.press('Enter');
        await waitForHeading(page, words.checkEmail);
        // No other code was sent, and the first one is still good.
        await typeInto(page, 'code', code);
        await waitForHeading(page, words.yourAccount);

        await press(page, words.signOut);
        await waitForHeading(page, words.signIn);
        await signInByKeyboard(page, person);
        await waitForHeading(page, words.yourAccount);
        expect(await readPolicyViolations(page)).to.deep.equal([]);
      }),
    );

    it(
      `leads back to the password after five wrong codes, and on with the next code: ${title}`,
      browserTest(async (openBrowser) => {
        const { person, page, code, untilCode } = await openCodeStep(openBrowser);
        await exhaustCode(page, words, code, words.signInUsedUp);
        await passResendTime(page, running.stack.redisUrl);
        await press(page, words.resend);
        await waitForHeading(page, words.signIn);
        await page.locator('[role=alert] .notice').waitFor();
        expect(await page.locator('input[name=email]').inputValue()).to.equal(person.email);
        await tabAndType(page, 'password', person.password);
        await page.keyboard.press('Enter');
        await waitForHeading(page, words.checkEmail);
        await typeInto(page, 'code', await untilCode(2));
        await waitForHeading(page, words.yourAccount);
        expect(await readPolicyViolations(page)).to.deep.equal([]);
      }),
    );
  }
});
