import { expect } from 'chai';
import { openTab, pageUrl, readPolicyViolations, signIn, waitForHeading } from '../console/console-tab.ts';
import { accountWordsOf } from '../page-words.ts';
import { browserTest } from '../support/browser-test.ts';
import { inspectLightAndDark } from '../support/inspect-page.ts';
import { addVirtualAuthenticator } from '../support/virtual-authenticator.ts';
import { JOURNEYS, press } from './person.ts';

/** As if each declined offer was so many days ago. */
const agePauses = (days: number): string => `(() => {
  const key = 'platform.passkey-offer';
  const all = JSON.parse(localStorage.getItem(key));
  for (const entry of Object.values(all)) entry.at -= ${days} * 86_400_000;
  localStorage.setItem(key, JSON.stringify(all));
})()`;

for (const [title, journey] of JOURNEYS)
  describe(`offer of a passkey after a sign-in: ${title}`, () => {
    const { language, options, words, base } = journey;
    const { offer, own } = accountWordsOf(language);

    it(
      'comes again after 30 days and never after the third time, and needs no second password',
      browserTest(async (openBrowser) => {
        const person = await journey.createPerson();
        const page = await openTab(openBrowser, options, `${base}/sign-in`);
        const authenticator = await addVirtualAuthenticator(page);
        const signInAgain = async (): Promise<void> => {
          await press(page, words.signOut);
          await waitForHeading(page, words.signIn);
          await page.goto(pageUrl(`${base}/sign-in`));
          await signIn(page, person);
        };
        await signIn(page, person);
        for (const time of [1, 2, 3]) {
          await waitForHeading(page, offer.title);
          if (time === 1) await inspectLightAndDark(page, `account passkey-offer ${language}`);
          await press(page, own.notNow);
          await waitForHeading(page, words.yourAccount);
          await page.evaluate(agePauses(29));
          await signInAgain();
          await waitForHeading(page, words.yourAccount);
          await page.evaluate(agePauses(2));
          await signInAgain();
        }
        await waitForHeading(page, words.yourAccount);
        await page.evaluate("localStorage.removeItem('platform.passkey-offer')");
        await signInAgain();
        await press(page, own.addPasskey);
        await waitForHeading(page, words.yourAccount);
        expect(await authenticator.countPasskeys()).to.equal(1);
        expect(await readPolicyViolations(page)).to.deep.equal([]);
      }),
    ).timeout(300_000);
  });
