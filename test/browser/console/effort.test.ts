import { uniqueEmail } from '@platform/shared/testing/builders';
import { expect } from 'chai';
import { wordsOf } from '../page-words.ts';
import { browserTest, type OpenBrowser } from '../support/browser-test.ts';
import { countEffort, watchEffort } from '../support/effort.ts';
import { createCustomer } from './back-office-records.ts';
import {
  createColleague,
  ENGLISH,
  GERMAN,
  openConsole,
  REJECTED,
  signIn,
  waitForHeading,
} from './console-tab.ts';
import { createDesk, type Desk, type Task } from './effort/desk.ts';
import { OTHER_TASKS } from './effort/other-tasks.ts';
import { PERSON_TASKS } from './effort/person-tasks.ts';

const openDesk = async (openBrowser: OpenBrowser, language: 'en' | 'de'): Promise<Desk> => {
  const browser = await openBrowser(language === 'en' ? ENGLISH : GERMAN);
  // A deleted user has neither sessions nor notes; a colleague's edit is a conflict.
  browser.allowErrors(REJECTED);
  await watchEffort(browser.context);
  const page = await openConsole(browser);
  const words = wordsOf(language);
  const admin = await createColleague('ADMIN');
  await signIn(page, admin);
  await waitForHeading(page, words.overview.title);
  // An address of 24 letters.
  const email = uniqueEmail().slice(-24);
  return createDesk(page, words, { admin, customer: await createCustomer({ email }) });
};

type Hand = 'byKeyboard' | 'byMouse';

const measured: string[] = [];

/** Returns why the task failed, or that it needs more than it may. */
const measure = async (desk: Desk, [name, task]: [string, Task], hand: Hand): Promise<string | undefined> => {
  const { before, most, open } = task;
  const unit = hand === 'byMouse' ? 'clicks' : 'keys';
  try {
    await open(desk);
    const effort = await countEffort(desk.page, () => task[hand](desk));
    measured.push(`${name}: ${effort[unit]} ${unit}, before ${before[unit] ?? 'unknown'}`);
    if (hand === 'byKeyboard') expect(effort.clicks, 'clicks by keyboard').to.equal(0);
    expect(effort[unit], unit).to.be.at.most(most[unit]);
    return undefined;
  } catch (error) {
    return `${name}: ${(error as Error).message.split('\n').slice(0, 5).join(' ')}`;
  }
};

describe('effort of an administrator in the console', () => {
  for (const language of ['en', 'de'] as const)
    for (const [hand, title] of [
      ['byKeyboard', 'by keyboard alone'],
      ['byMouse', 'by mouse'],
    ] as const)
      it(
        `is what it was at most for each task, ${title}, ${language}`,
        browserTest(async (openBrowser) => {
          const desk = await openDesk(openBrowser, language);
          measured.length = 0;
          const failures: string[] = [];
          for (const task of Object.entries({ ...PERSON_TASKS, ...OTHER_TASKS })) {
            const failure = await measure(desk, task, hand);
            if (failure) failures.push(failure);
          }
          process.stdout.write(`${[`${title}, ${language}`, ...measured].join('\n      ')}\n`);
          expect(failures.join('\n')).to.equal('');
        }),
      ).timeout(600_000);
});
