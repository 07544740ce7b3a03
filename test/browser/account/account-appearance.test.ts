import { expect } from 'chai';
import { openTab, readPolicyViolations } from '../console/console-tab.ts';
import { accountWordsOf } from '../page-words.ts';
import { browserTest } from '../support/browser-test.ts';
import { inspectLightAndDark } from '../support/inspect-page.ts';
import { PARTS } from './account-screens.ts';
import { JOURNEYS } from './person.ts';

for (const [title, journey] of JOURNEYS)
  describe(`appearance of the account pages: ${title}`, () => {
    const { language, options, base } = journey;

    for (const [part, show] of Object.entries(PARTS))
      it(
        `has no axe finding and no overflow, light and dark: ${part}`,
        browserTest(async (openBrowser) => {
          const page = await openTab(openBrowser, options, `${base}/sign-in`);
          const inspect = (name: string) => inspectLightAndDark(page, `account ${name} ${language}`);
          await show({ ...journey, page, texts: accountWordsOf(language), inspect });
          expect(await readPolicyViolations(page)).to.deep.equal([]);
        }),
      ).timeout(600_000);
  });
