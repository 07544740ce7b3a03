import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { uniqueWord } from '@platform/shared/testing/records';
import { send } from '@platform/shared/testing/responses';
import { addSecondFactor, countFactors } from '@platform/shared/testing/second-factors';
import { expect } from 'chai';
import { wordsOf } from '../page-words.ts';
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
import { createDesk, type Desk } from './desk.ts';

type Customer = Awaited<ReturnType<typeof createCustomer>>;
type Work = Desk & { customer: Customer };

/** The code with which the customer's next sign-in is answered. */
const signInCode = async ({ email, password }: Customer): Promise<string | undefined> => {
  const client = createAuthClient(getPlatform().gatewayUrl, CUSTOMER);
  return (await client.signIn({ fingerprint: 'phone', body: { email, password } })).body.code;
};

/** The list shows the first letter and the domain of a recipient. */
const createFailedMail = async () => {
  const domain = `${uniqueWord()}.example`;
  const recipient = `ada@${domain}`;
  const id = await withRecords((records) => records.failedMail(recipient));
  return { id, recipient, shown: `a…@${domain}` };
};

/** The tasks of an hour, in their order: those up to the deletion are about one customer. */
const TASKS: Readonly<Record<string, (work: Work) => Promise<void>>> = {
  'finds a person, and ends the session of a device': async (work) => {
    const { customer, page, open, find, see, act } = work;
    const { users, userActions } = work.words;
    await open(users.users);
    await find(users.search, customer.word.slice(1, 10), customer.name);
    await see(users.lastSignIn);
    const end = page.getByRole('button', { name: new RegExp(`^${users.end} Chrome`) });
    const device = (await end.getAttribute('aria-label'))?.replace(`${users.end} `, '') ?? '';
    await act(`${users.end} ${device}`, userActions.endOne, userActions.endedOne(device));
    await see(users.noDevices);
  },
  'blocks with a reason, which says why the person cannot sign in': async (work) => {
    const { customer, dialog, type, see, actInMenu } = work;
    const { users, userActions } = work.words;
    await actInMenu(users.block, userActions.block, userActions.blocked(customer.name), () =>
      type(dialog.getByRole('textbox'), 'Three chargebacks'),
    );
    await see(users.reasons.blocked);
    await see('Three chargebacks');
    expect(await signInCode(customer)).to.equal('USER_BLOCKED');
  },
  'lets the person in again': async ({ customer, act, words: { users, userActions } }) => {
    await act(users.unblock, userActions.unblock, userActions.unblocked(customer.name));
    expect(await signInCode(customer)).to.equal('SECOND_FACTOR_REQUIRED');
  },
  'removes the factors of who has lost them': async (work) => {
    const { customer, see, act } = work;
    const { users, userActions } = work.words;
    await act(userActions.removeFactors, userActions.remove, userActions.removed(customer.name));
    await see(users.noSecondStep);
    const counts = await withRecords((records) => countFactors(records, customer.id));
    expect(counts).to.include({ totp: 0, passkeys: 0, recoveryCodes: 0 });
    await inbox().untilMail(customer.email, 'second factors were removed');
    expect(await signInCode(customer)).to.equal(undefined);
  },
  'writes a note': async ({ dialog, type, see, act, words: { users, userActions } }) => {
    await act(users.add, userActions.addNote, userActions.added, () =>
      type(dialog.getByRole('textbox'), 'Called back'),
    );
    await see('Called back');
  },
  'gives a role and takes it': async (work) => {
    const { customer, dialog, choose, actInMenu } = work;
    const { users, userActions, names } = work.words;
    const role = names.roles['ARBITER'] ?? '';
    await actInMenu(users.giveRole, userActions.give, userActions.given(customer.name, role), () =>
      choose(dialog.getByLabel(userActions.newRole), 'ARBITER'),
    );
    await inbox().untilMail(customer.email, 'You have a new role');
    await actInMenu(users.takeRole, userActions.take, userActions.taken(customer.name, role));
    await inbox().untilMail(customer.email, 'Your role was removed');
  },
  'reads the log of the person': async ({ customer, page, press, see, words: { users, log } }) => {
    await press(page.locator('main').getByRole('link', { name: users.all, exact: true }));
    await waitForHeading(page, log.title);
    await page.locator('[data-row]').nth(3).waitFor();
    await see(customer.name);
    await page.goBack();
    await waitForHeading(page, customer.name);
  },
  'deletes the account': async (work) => {
    const { customer, page, dialog, type, actInMenu } = work;
    const { users, userActions, names } = work.words;
    await actInMenu(users.delete, userActions.delete, userActions.erased(customer.name), () =>
      type(dialog.getByRole('textbox'), customer.email),
    );
    await waitForHeading(page, names.deletedUser);
    await inbox().untilMail(customer.email, 'Your account was deleted');
    expect(await actionsOf(customer.id)).to.include.members([
      ...['SESSION_ENDED', 'USER_BLOCKED', 'USER_UNBLOCKED', 'SECOND_FACTOR_RESET', 'USER_NOTE_ADDED'],
      ...['ROLE_ASSIGNED', 'ROLE_REMOVED', 'ACCOUNT_DELETED'],
    ]);
  },
  'looks at the people of a team, and verifies it': async ({ page, open, find, act, words: { teams } }) => {
    const { id, name } = await createTeam();
    await open(teams.teams);
    await find(teams.search, name, name);
    await page.getByRole('link', { name: 'Mila Horvat' }).waitFor();
    await act(teams.verifyAndNext, teams.verifyTeam, teams.isVerified(name));
    expect(await actionsOf(id)).to.deep.equal(['TEAM_VERIFIED']);
  },
  'finds a deleted project by its title, and restores it': async (work) => {
    const { page, open, press, type, button, hear } = work;
    const { projects } = work.words;
    const title = `Florist ${uniqueWord()}`;
    const id = await withRecords((records) => records.project({ title, deletedAt: new Date() }));
    await open(projects.projects);
    await press(page.locator('main').getByRole('link', { name: projects.deletedProjects }));
    await waitForHeading(page, projects.deletedProjects);
    await type(page.getByLabel(projects.searchTitle, { exact: true }), title);
    await page.getByText(/^1–1 /).waitFor();
    await press(button(`${projects.restore}: ${title}`));
    await hear(projects.restored(title));
    expect(await actionsOf(id)).to.deep.equal(['PROJECT_RESTORED']);
  },
  'marks a contact form as done': async ({ page, open, press, see, button, hear, words: { contact } }) => {
    const email = uniqueEmail();
    const body = { name: 'Ada', email, subject: 'Invoices', message: `Where are they, ${email}?` };
    await send(getPlatform().gatewayUrl, 'POST', '/api/v1/contact/support', { body });
    await open(contact.title);
    await press(page.locator('[data-row] button').first());
    await see(body.message);
    await press(button(contact.doneAndNext));
    await hear(contact.isDone);
  },
  'sends a failed mail again, and deletes another': async ({ open, press, act, button, hear, words }) => {
    const { mails, mailNames } = words;
    const [repeated, deleted] = [await createFailedMail(), await createFailedMail()];
    const name = mailNames['lead-request'];
    await open(mails.title);
    await press(button(`${mails.retry}: ${name}, ${repeated.shown}`));
    await hear(mails.areSent('1', 1));
    await inbox().untilMail(repeated.recipient, '');
    await act(`${mails.delete} ${name}, ${deleted.shown}`, mails.deleteMail, mails.deleted);
    expect(await actionsOf(repeated.id)).to.deep.equal(['MAIL_RETRIED']);
    expect(await actionsOf(deleted.id)).to.deep.equal(['MAIL_DELETED']);
    expect(await inbox().mailsTo(deleted.recipient)).to.deep.equal([]);
  },
  'invites a colleague, and withdraws the invitation': async (work) => {
    const { open, type, choose, press, button, hear, act, dialog } = work;
    const { invitations } = work.words;
    const email = uniqueEmail();
    await open(invitations.title);
    await press(button(invitations.invite));
    await dialog.waitFor();
    await type(dialog.locator('input[name=email]'), email);
    await choose(dialog.locator('select[name=language]'), 'de');
    await press(dialog.getByRole('button', { name: invitations.send, exact: true }));
    await hear(invitations.sent(email));
    await inbox().untilMail(email, 'eingeladen');
    await act(`${invitations.withdraw} ${email}`, invitations.withdrawNow, invitations.withdrawn(email));
  },
};

describe('the work of an administrator in the console', () => {
  for (const [language, options] of [['en', ENGLISH] as const, ['de', GERMAN] as const])
    for (const hand of ['keyboard', 'mouse'] as const)
      it(
        `is done by ${hand} alone, ${language}`,
        browserTest(async (openBrowser) => {
          const browser = await openBrowser(options);
          // A deleted user has neither sessions nor notes.
          browser.allowErrors(/status of 404/);
          const page = await openConsole(browser);
          const words = wordsOf(language);
          await signInByKeyboard(page, await createColleague('ADMIN'));
          await waitForHeading(page, words.overview.title);
          const customer = await createCustomer();
          await withRecords((records) => addSecondFactor(records, customer.id));
          const work = { ...createDesk(page, words, hand), customer };
          for (const [name, task] of Object.entries(TASKS))
            await task(work).catch((error: unknown) => {
              throw new Error(`An administrator ${name}`, { cause: error });
            });
          expect(await readPolicyViolations(page)).to.deep.equal([]);
        }),
      );
});
