import { uniqueEmail } from '@platform/shared/testing/builders';
import { uniqueWord } from '@platform/shared/testing/records';
import { addSecondFactor } from '@platform/shared/testing/second-factors';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { type ConsoleWords, wordsOf } from '../page-words.ts';
import { browserTest, type OpenBrowser } from '../support/browser-test.ts';
import { countEffort, type Effort, watchEffort } from '../support/effort.ts';
import { createCustomer, createProject, createTeam, withRecords } from './back-office-records.ts';
import {
  callAs,
  consoleUrl,
  createColleague,
  ENGLISH,
  GERMAN,
  openConsole,
  type Person,
  REJECTED,
  signIn,
  waitForHeading,
} from './console-tab.ts';

type Desk = {
  page: Page;
  words: ConsoleWords;
  admin: Person;
  customer: Awaited<ReturnType<typeof createCustomer>>;
  button: (name: string | RegExp) => Locator;
  dialog: Locator;
  said: (text: string | RegExp) => Promise<void>;
  keys: (...keys: string[]) => Promise<void>;
  type: (text: string) => Promise<void>;
  /** Presses Tab until the control has the focus. */
  tabTo: (control: Locator) => Promise<void>;
  /** Chooses from the menu "Actions" with the arrow that is nearer. */
  chooseByKeys: (item: string, arrow: 'ArrowDown' | 'ArrowUp') => Promise<void>;
  choose: (item: string) => Promise<void>;
};

type Task = {
  /** The keys and clicks before the redesign. A note or a reason has 8 letters, an address 24. */
  before: Partial<Effort>;
  /** The most that it may need. */
  most: Effort;
  /** Opens the page where the task begins; that is not counted. */
  open: (desk: Desk) => Promise<unknown>;
  byKeyboard: (desk: Desk) => Promise<unknown>;
  byMouse: (desk: Desk) => Promise<unknown>;
};

const TEXT = 'Call her';

const goTo = async ({ page }: Desk, path: string): Promise<void> => {
  await page.goto('about:blank');
  await page.goto(consoleUrl(path));
  await page.locator('main h1').waitFor();
  await page.waitForLoadState('networkidle');
};
const openPerson = (desk: Desk) => goTo(desk, `users/${desk.customer.id}`);

const query = (text: string, ...values: unknown[]) => withRecords((records) => records.query(text, values));

let project = { id: '', title: '' };
let team = { id: '', name: '' };

const TASKS: Readonly<Record<string, Task>> = {
  'find a person by half a name': {
    before: { keys: 12, clicks: 2 },
    most: { keys: 8, clicks: 2 },
    open: (desk) => goTo(desk, ''),
    byKeyboard: async ({ page, keys, type, customer }) => {
      await keys('Control+K');
      await page.locator('.palette-input:focus').waitFor();
      await type(customer.word.slice(1, 6));
      await keys('Enter');
      await waitForHeading(page, customer.name);
    },
    byMouse: async ({ page, type, customer }) => {
      await page.locator('.search-button').click();
      await page.locator('.palette-input:focus').waitFor();
      await type(customer.word.slice(1, 6));
      await page.locator('.palette-item').filter({ hasText: customer.name }).click();
      await waitForHeading(page, customer.name);
    },
  },
  'block with a reason and a note': {
    before: { keys: 6 + TEXT.length, clicks: 3 },
    most: { keys: 22, clicks: 5 },
    open: openPerson,
    byKeyboard: async ({ words, customer, keys, type, dialog, tabTo, chooseByKeys, said }) => {
      await chooseByKeys(words.users.block, 'ArrowUp');
      await dialog.locator('input:focus').waitFor();
      await keys('Space');
      await keys('Tab');
      await type(TEXT);
      await tabTo(dialog.locator('button[type=submit]'));
      await keys('Enter');
      await said(words.userActions.blocked(customer.name));
    },
    byMouse: async ({ words, customer, type, dialog, choose, said }) => {
      await choose(words.users.block);
      await dialog.getByText(words.userHelp.reasons.fraud).click();
      await dialog.locator('textarea').click();
      await type(TEXT);
      await dialog.locator('button[type=submit]').click();
      await said(words.userActions.blocked(customer.name));
    },
  },
  'undo the block': {
    before: { keys: 3, clicks: 1 },
    most: { keys: 2, clicks: 1 },
    // Continues where the block has ended.
    open: async () => undefined,
    byKeyboard: async ({ page, keys, tabTo }) => {
      await tabTo(page.locator('.status-line button').first());
      await keys('Enter');
      await page.locator('.notice-bad').waitFor({ state: 'detached' });
    },
    byMouse: async ({ page }) => {
      await page.locator('.status-line button').first().click();
      await page.locator('.notice-bad').waitFor({ state: 'detached' });
    },
  },
  'see why they cannot sign in': {
    before: { keys: 0, clicks: 0 },
    most: { keys: 0, clicks: 0 },
    open: async (desk) => {
      await query('update users set is_blocked = true where id = $1', desk.customer.id);
      await openPerson(desk);
    },
    byKeyboard: ({ page, words }) => page.getByText(words.users.reasons.blocked).waitFor(),
    byMouse: ({ page, words }) => page.getByText(words.users.reasons.blocked).waitFor(),
  },
  'write a note': {
    before: { clicks: 3 },
    most: { keys: 11, clicks: 2 },
    open: async (desk) => {
      await query('update users set is_blocked = false where id = $1', desk.customer.id);
      await openPerson(desk);
    },
    byKeyboard: async ({ words, keys, type, dialog, said }) => {
      await keys('n');
      await dialog.locator('textarea:focus').waitFor();
      await type(TEXT);
      await keys('Control+Enter');
      await said(words.userActions.added);
    },
    byMouse: async ({ page, words, type, dialog, said }) => {
      await page.locator('main').getByRole('button', { name: words.users.add, exact: true }).click();
      await type(TEXT);
      await dialog.locator('button[type=submit]').click();
      await said(words.userActions.added);
    },
  },
  'give a role': {
    before: { keys: 8, clicks: 4 },
    most: { keys: 12, clicks: 5 },
    open: openPerson,
    byKeyboard: async ({ words, customer, keys, dialog, tabTo, chooseByKeys, said }) => {
      await chooseByKeys(words.users.giveRole, 'ArrowDown');
      await dialog.locator('select:focus').waitFor();
      await keys('ArrowDown');
      await tabTo(dialog.locator('button[type=submit]'));
      await keys('Enter');
      await said(words.userActions.given(customer.name, words.names.roles['ARBITER'] ?? ''));
    },
    byMouse: async ({ page, words, customer, dialog, choose, said }) => {
      await choose(words.users.giveRole);
      // A native list needs two clicks, which belong to the browser.
      await dialog.locator('select').selectOption('ARBITER');
      await page.evaluate('effort.clicks += 2');
      await dialog.locator('button[type=submit]').click();
      await said(words.userActions.given(customer.name, words.names.roles['ARBITER'] ?? ''));
    },
  },
  'take a role': {
    before: { keys: 6, clicks: 2 },
    most: { keys: 10, clicks: 3 },
    open: openPerson,
    byKeyboard: async ({ words, customer, keys, dialog, tabTo, chooseByKeys, said }) => {
      await chooseByKeys(words.users.takeRole, 'ArrowDown');
      await dialog.waitFor();
      await tabTo(dialog.locator('button[type=submit]'));
      await keys('Enter');
      await said(words.userActions.taken(customer.name, words.names.roles['ARBITER'] ?? ''));
    },
    byMouse: async ({ words, customer, dialog, choose, said }) => {
      await choose(words.users.takeRole);
      await dialog.locator('button[type=submit]').click();
      await said(words.userActions.taken(customer.name, words.names.roles['ARBITER'] ?? ''));
    },
  },
  'end all sessions': {
    before: { keys: 4, clicks: 2 },
    most: { keys: 9, clicks: 2 },
    open: async (desk) => {
      await withRecords((records) => records.session(desk.customer.id));
      await openPerson(desk);
    },
    byKeyboard: async ({ words, customer, keys, dialog, tabTo, button, said }) => {
      await tabTo(button(words.users.endAll));
      await keys('Enter');
      await dialog.waitFor();
      await tabTo(dialog.locator('button[type=submit]'));
      await keys('Enter');
      await said(words.userActions.endedAll(customer.name));
    },
    byMouse: async ({ words, customer, dialog, button, said }) => {
      await button(words.users.endAll).click();
      await dialog.locator('button[type=submit]').click();
      await said(words.userActions.endedAll(customer.name));
    },
  },
  'remove one factor': {
    before: { keys: 5, clicks: 2 },
    most: { keys: 10, clicks: 2 },
    open: async (desk) => {
      await withRecords((records) => addSecondFactor(records, desk.customer.id));
      await openPerson(desk);
    },
    byKeyboard: async ({ words, customer, keys, dialog, tabTo, button, said }) => {
      await tabTo(button(`${words.userHelp.removeOne} ${words.users.app}`));
      await keys('Enter');
      await dialog.waitFor();
      await tabTo(dialog.locator('button[type=submit]'));
      await keys('Enter');
      await said(words.userHelp.appRemoved(customer.name));
    },
    byMouse: async ({ words, customer, dialog, button, said }) => {
      await button(`${words.userHelp.removeOne} ${words.users.app}`).click();
      await dialog.locator('button[type=submit]').click();
      await said(words.userHelp.appRemoved(customer.name));
    },
  },
  'delete an account': {
    before: { keys: 30, clicks: 2 },
    most: { keys: 32, clicks: 3 },
    open: openPerson,
    byKeyboard: async ({ words, customer, keys, type, dialog, chooseByKeys, said }) => {
      await chooseByKeys(words.users.delete, 'ArrowUp');
      await dialog.locator('input:focus').waitFor();
      await type(customer.email);
      await keys('Enter');
      await said(words.userActions.deleted);
    },
    byMouse: async ({ words, customer, type, dialog, choose, said }) => {
      await choose(words.users.delete);
      await dialog.locator('input:focus').waitFor();
      await type(customer.email);
      await dialog.locator('button[type=submit]').click();
      await said(words.userActions.deleted);
    },
  },
  'invite a colleague': {
    before: { keys: 3, clicks: 4 },
    most: { keys: 31, clicks: 3 },
    open: (desk) => goTo(desk, ''),
    byKeyboard: async ({ page, words, keys, type, dialog, said }) => {
      const email = `i${Date.now()}@example.com`;
      await keys('g', 'c');
      await waitForHeading(page, words.invitations.title);
      await page.locator('h1:focus').waitFor();
      await page.locator('main').getByRole('button', { name: words.invitations.invite }).waitFor();
      await keys('Tab');
      await keys('Enter');
      await dialog.locator('input:focus').waitFor();
      await type(email);
      await keys('Enter');
      await said(words.invitations.sent(email));
    },
    byMouse: async ({ page, words, type, dialog, button, said }) => {
      const email = `i${Date.now()}@example.com`;
      await page.getByRole('navigation').getByRole('link', { name: words.invitations.title }).click();
      await button(words.invitations.invite).click();
      await dialog.locator('input:focus').waitFor();
      await type(email);
      await dialog.locator('button[type=submit]').click();
      await said(words.invitations.sent(email));
    },
  },
  'verify a team': {
    before: { clicks: 5 },
    most: { keys: 7, clicks: 4 },
    open: async (desk) => {
      // The team is the first of the queue.
      await query(`update teams set status = 'ACTIVE', verified_at = now() where status = 'ONBOARDING'`);
      team = await createTeam();
      await goTo(desk, '');
    },
    byKeyboard: async ({ page, words, keys, dialog, tabTo, said }) => {
      await keys('g', 't');
      await waitForHeading(page, words.teams.teams);
      await page.locator('[data-row]').filter({ hasText: team.name }).waitFor();
      await keys('j', 'Enter');
      await waitForHeading(page, team.name);
      await page.locator('.queue-bar button').first().waitFor();
      await keys('e');
      await dialog.waitFor();
      await tabTo(dialog.locator('button[type=submit]'));
      await keys('Enter');
      await said(/./);
    },
    byMouse: async ({ page, words, dialog, said }) => {
      await page
        .getByRole('navigation')
        .getByRole('link', { name: new RegExp(`^${words.teams.teams}`) })
        .click();
      await page.getByRole('link', { name: team.name }).click();
      await waitForHeading(page, team.name);
      await page.locator('.queue-bar .button-main').click();
      await dialog.locator('button[type=submit]').click();
      await said(/./);
    },
  },
  'edit a project that a colleague edits': {
    before: { clicks: 3 },
    most: { keys: 3, clicks: 2 },
    open: async (desk) => {
      project = await createProject();
      await goTo(desk, `projects/${project.id}/edit`);
      await desk.page.locator('textarea[name=description]').fill('Fifty products');
      const body = { title: `Theirs ${uniqueWord()}`, description: 'Forty products' };
      expect((await callAs(desk.admin, 'PATCH', `/projects/${project.id}`, body)).status).to.equal(200);
      await desk.page.locator('textarea[name=description]').focus();
    },
    byKeyboard: async ({ page, words, keys, tabTo, said }) => {
      const save = page.locator('main form button[type=submit]');
      await tabTo(save);
      await keys('Enter');
      await page.locator('main [role=alert] .notice').waitFor();
      await tabTo(save);
      await keys('Enter');
      await said(words.projects.saved);
    },
    byMouse: async ({ page, words, said }) => {
      const save = page.locator('main form button[type=submit]');
      await save.click();
      await page.locator('main [role=alert] .notice').waitFor();
      await save.click();
      await said(words.projects.saved);
    },
  },
  'delete a project and restore it': {
    before: { clicks: 3 },
    most: { keys: 8, clicks: 3 },
    open: async (desk) => {
      project = await createProject();
      await goTo(desk, `projects/${project.id}`);
    },
    byKeyboard: async ({ page, words, keys, dialog, tabTo, button, said }) => {
      await tabTo(button(words.projects.delete));
      await keys('Enter');
      await dialog.waitFor();
      await tabTo(dialog.locator('button[type=submit]'));
      await keys('Enter');
      await said(words.projects.deleted(project.title));
      await tabTo(page.locator('.status-line button').first());
      await keys('Enter');
      await waitForHeading(page, project.title);
    },
    byMouse: async ({ page, words, dialog, button, said }) => {
      await button(words.projects.delete).click();
      await dialog.locator('button[type=submit]').click();
      await said(words.projects.deleted(project.title));
      await page.locator('.status-line button').first().click();
      await waitForHeading(page, project.title);
    },
  },
  'finish a request': {
    before: { clicks: 2 },
    most: { keys: 5, clicks: 3 },
    open: async (desk) => {
      await withRecords((records) => records.contactRequest());
      await goTo(desk, '');
    },
    byKeyboard: async ({ page, words, keys, said }) => {
      await keys('g', 'r');
      await waitForHeading(page, words.contact.title);
      await page.locator('.request-row').first().waitFor();
      await keys('j', 'Enter');
      await page.locator('.request-bar').getByText(words.contact.doneAndNext).waitFor();
      await keys('e');
      await said(words.contact.isDone);
    },
    byMouse: async ({ page, words, said }) => {
      await page
        .getByRole('navigation')
        .getByRole('link', { name: new RegExp(`^${words.contact.title}`) })
        .click();
      await page.locator('.request-row').first().click();
      await page.locator('.request-bar').getByText(words.contact.doneAndNext).click();
      await said(words.contact.isDone);
    },
  },
  'send a failed mail again': {
    before: { clicks: 1 },
    most: { keys: 17, clicks: 1 },
    open: async (desk) => {
      await withRecords((records) => records.failedMail());
      await goTo(desk, 'mails?state=failed');
    },
    byKeyboard: async ({ words, keys, tabTo, button, said }) => {
      await tabTo(button(new RegExp(`^${words.mails.retry}`)).first());
      await keys('Enter');
      await said(words.mails.retried);
    },
    byMouse: async ({ words, button, said }) => {
      await button(new RegExp(`^${words.mails.retry}`))
        .first()
        .click();
      await said(words.mails.retried);
    },
  },
  'export the log': {
    before: { clicks: 2 },
    most: { keys: 8, clicks: 2 },
    open: (desk) => goTo(desk, ''),
    byKeyboard: async ({ page, words, keys, tabTo, button }) => {
      await keys('g', 'l');
      await waitForHeading(page, words.log.title);
      await tabTo(button(words.log.export));
      await Promise.all([page.waitForEvent('download'), keys('Enter')]);
    },
    byMouse: async ({ page, words, button }) => {
      await page.getByRole('navigation').getByRole('link', { name: words.log.title }).click();
      await Promise.all([page.waitForEvent('download'), button(words.log.export).click()]);
    },
  },
};

const createDesk = (page: Page, words: ConsoleWords, people: Pick<Desk, 'admin' | 'customer'>): Desk => {
  const dialog = page.locator('dialog[open]');
  const button = (name: string | RegExp) =>
    page.locator('main').getByRole('button', { name, exact: typeof name === 'string' });
  const keys = async (...all: string[]): Promise<void> => {
    for (const key of all) await page.keyboard.press(key);
  };
  const tabTo = async (control: Locator): Promise<void> => {
    await control.waitFor();
    for (let presses = 0; presses < 100; presses += 1) {
      if ((await control.and(page.locator(':focus')).count()) > 0) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`No Tab leads to ${control}`);
  };
  const menu = button(words.userHelp.actions);
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
  return {
    page,
    words,
    ...people,
    button,
    dialog,
    keys,
    tabTo,
    type: (text) => page.keyboard.type(text),
    said: (text) => page.getByRole('status').getByText(text).first().waitFor(),
    choose: async (name) => {
      await menu.click();
      await item(name).click();
    },
    chooseByKeys: async (name, arrow) => {
      await tabTo(menu);
      await keys('Enter');
      await page.locator('[role=menuitem]:focus').waitFor();
      expect(await item(name).count(), name).to.equal(1);
      while ((await item(name).and(page.locator(':focus')).count()) === 0) await keys(arrow);
      await keys('Enter');
    },
  };
};

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
  const email = `${uniqueEmail()}`.slice(-24);
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
          for (const task of Object.entries(TASKS)) {
            const failure = await measure(desk, task, hand);
            if (failure) failures.push(failure);
          }
          process.stdout.write(`${[`${title}, ${language}`, ...measured].join('\n      ')}\n`);
          expect(failures.join('\n')).to.equal('');
        }),
      ).timeout(600_000);
});
