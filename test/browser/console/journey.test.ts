import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { uniqueWord } from '@platform/shared/testing/records';
import { send } from '@platform/shared/testing/responses';
import { addSecondFactor } from '@platform/shared/testing/second-factors';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type ConsoleWords, wordsOf } from '../page-words.ts';
import { browserTest } from '../support/browser-test.ts';
import { getPlatform } from '../support/platform.ts';
import { actionsOf, createCustomer, createTeam, withRecords } from './back-office-records.ts';
import {
  createColleague,
  ENGLISH,
  GERMAN,
  inbox,
  openConsole,
  readPolicyViolations,
  signInByKeyboard,
  waitForHeading,
} from './console-tab.ts';
import { HANDS, type Hands } from './hands.ts';

type Desk = { page: Page; words: ConsoleWords; hands: Hands };

const createDesk = (page: Page, hands: Hands) => {
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = page.locator('dialog[open]');
  return {
    button,
    dialog,
    open: async (title: string) => {
      await hands.press(page.getByRole('navigation').getByRole('link', { name: title, exact: true }));
      await waitForHeading(page, title);
    },
    find: async (label: string, text: string, name: string) => {
      await hands.type(page.getByLabel(label), text);
      await page.getByText(/^1–1 /).waitFor();
      await hands.press(page.getByRole('link', { name }));
      await waitForHeading(page, name);
    },
    /** Opens a dialog, fills it in, confirms it, and waits for what the page says after it. */
    act: async (name: string, confirm: string, said: string, fill?: () => Promise<void>) => {
      await hands.press(button(name));
      await dialog.waitFor();
      await fill?.();
      await hands.press(dialog.getByRole('button', { name: confirm, exact: true }));
      await page.getByRole('status').getByText(said).waitFor();
    },
  };
};

const helpCustomer = async ({ page, words, hands }: Desk): Promise<void> => {
  const { users, userActions } = words;
  const customer = await createCustomer();
  await withRecords((records) => addSecondFactor(records, customer.id));
  const { dialog, open, find, act, button } = createDesk(page, hands);
  const { name } = customer;
  await open(users.users);
  await find(users.search, customer.word.slice(1), name);
  await act(users.block, userActions.block, userActions.blocked(name), () =>
    hands.type(dialog.getByRole('textbox'), 'Three chargebacks'),
  );
  await page.getByText('Three chargebacks').waitFor();
  await page.getByText(users.cannotSignIn).waitFor();
  const client = createAuthClient(getPlatform().gatewayUrl, CUSTOMER);
  const credentials = { email: customer.email, password: customer.password };
  expect((await client.signIn({ body: credentials })).body.code).to.equal('USER_BLOCKED');
  await act(users.unblock, userActions.unblock, userActions.unblocked(name));
  await act(userActions.removeFactors, userActions.remove, userActions.removed(name));
  await page.getByText(users.noDevices).waitFor();
  await act(users.add, userActions.addNote, userActions.added, () =>
    hands.type(dialog.getByRole('textbox'), 'Called back'),
  );
  await hands.press(button(users.giveRole));
  await hands.choose(dialog.getByLabel(userActions.newRole), 'ARBITER');
  await hands.press(dialog.getByRole('button', { name: userActions.give, exact: true }));
  await hands.press(button(users.takeRole));
  await hands.press(dialog.getByRole('button', { name: userActions.take, exact: true }));
  await button(users.giveRole).waitFor();
  await act(users.delete, userActions.delete, userActions.deleted, () =>
    hands.type(dialog.getByRole('textbox'), customer.email),
  );
  await waitForHeading(page, users.deletedAuthor);
  expect(await actionsOf(customer.id)).to.include.members([
    'USER_BLOCKED',
    'USER_UNBLOCKED',
    'SECOND_FACTOR_RESET',
    'USER_NOTE_ADDED',
    'ROLE_ASSIGNED',
    'ROLE_REMOVED',
    'ACCOUNT_DELETED',
  ]);
};

const workOnTeamsAndProjects = async ({ page, words, hands }: Desk): Promise<void> => {
  const { teams, projects } = words;
  const { button, open, find, act } = createDesk(page, hands);
  const team = await createTeam();
  await open(teams.teams);
  await find(teams.search, team.name, team.name);
  await act(teams.verify, teams.verifyTeam, teams.isVerified(team.name));
  const title = `Florist ${uniqueWord()}`;
  await withRecords((records) => records.project({ title, deletedAt: new Date() }));
  await open(projects.projects);
  await hands.press(page.locator('main').getByRole('link', { name: projects.deletedProjects }));
  await waitForHeading(page, projects.deletedProjects);
  await hands.type(page.getByLabel(projects.searchTitle), title);
  await page.getByText(/^1–1 /).waitFor();
  await hands.press(button(`${projects.restore}: ${title}`));
  await page.getByText(projects.restored(title)).waitFor();
};

const createFailedMail = () =>
  withRecords(async (records) => {
    const id = await records.failedMail();
    const [row] = await records.query<{ recipient: string }>(
      `select mail->>'to' as recipient from mail_outbox where id = $1`,
      [id],
    );
    return row?.recipient ?? '';
  });

const answerMailsAndForms = async ({ page, words, hands }: Desk): Promise<void> => {
  const { mails, contact, invitations, log } = words;
  const { button, open, act } = createDesk(page, hands);
  const [repeated, deleted] = [await createFailedMail(), await createFailedMail()];
  const mail = mails.names['lead-request'];
  await open(mails.title);
  await hands.press(button(`${mails.retry}: ${mail}, ${repeated}`));
  await page.getByRole('status').getByText(mails.retried).waitFor();
  await inbox().untilMail(repeated, '');
  await act(`${mails.delete} ${mail}, ${deleted}`, mails.deleteMail, mails.deleted);

  const sender = uniqueEmail();
  const body = { name: 'Ada', email: sender, subject: 'Invoices', message: 'Where are they?' };
  await send(getPlatform().gatewayUrl, 'POST', '/api/v1/contact/support', { body });
  await open(contact.title);
  await hands.press(button(`${contact.markDone}: ${sender}`));
  await page.getByRole('status').getByText(contact.isDone).waitFor();

  const colleague = uniqueEmail();
  await open(invitations.title);
  await hands.type(page.locator('main input[name=email]'), colleague);
  await hands.press(button(invitations.send));
  await page.getByRole('status').getByText(invitations.sent(colleague)).waitFor();
  await act(
    `${invitations.withdraw} ${colleague}`,
    invitations.withdrawNow,
    invitations.withdrawn(colleague),
  );
  await open(log.title);
  await page.getByText(log.details).first().waitFor();
};

const OPTIONS = { en: ENGLISH, de: GERMAN };

describe('the work of an administrator in the console', () => {
  for (const language of ['en', 'de'] as const)
    for (const hand of ['keyboard', 'mouse'] as const)
      it(
        `is done by ${hand} alone, ${language}`,
        browserTest(async (openBrowser) => {
          const browser = await openBrowser(OPTIONS[language]);
          // A deleted user has neither sessions nor notes.
          browser.allowErrors(/status of 404/);
          const page = await openConsole(browser);
          const words = wordsOf(language);
          const desk = { page, words, hands: HANDS[hand](page) };
          await signInByKeyboard(page, await createColleague('ADMIN'));
          await waitForHeading(page, words.overview.title);
          await helpCustomer(desk);
          await workOnTeamsAndProjects(desk);
          await answerMailsAndForms(desk);
          expect(await readPolicyViolations(page)).to.deep.equal([]);
        }),
      ).timeout(240_000);
});
