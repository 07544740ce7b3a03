import { uniqueEmail } from '@platform/shared/testing/builders';
import { uniqueWord } from '@platform/shared/testing/records';
import { addSecondFactor } from '@platform/shared/testing/second-factors';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { ConsoleWords } from '../page-words.ts';
import type { OpenBrowser } from '../support/browser-test.ts';
import { createCustomer, createProject, createTeam, withRecords } from './back-office-records.ts';
import {
  callAs,
  chooseAction,
  consoleUrl,
  createColleague,
  openSignedIn,
  type Person,
  waitForHeading,
} from './console-tab.ts';

export type ScreenIds = {
  user: string;
  blocked: string;
  colleague: string;
  project: string;
  team: string;
  request: string;
};
/** A screen is complete when `ready` is there; `open` opens a dialog on it. */
export type Screen = { path: string; ready: string; open?: (page: Page) => Promise<unknown> };
type Screens = Record<string, Screen>;

/** The text of a label or a name, as long as a field takes. */
type ToText = (maxLength: number) => string;

const press = (name: string) => (page: Page) =>
  page
    .locator('main button')
    .and(
      // Beside its words a button may show its key. The column of the button has the same words.
      page.getByText(name, { exact: true }).or(page.getByRole('button', { name, exact: true })),
    )
    .first()
    .click();

/** Selects the first row by keys, as narrow screens have no boxes, and presses the button. */
const pressForSeveral = (name: string) => async (page: Page) => {
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await press(name)(page);
};

const listUserScreens = (words: ConsoleWords, ids: ScreenIds): Screens => {
  const { users, userActions, userHelp, userList } = words;
  const choose = (item: string) => (page: Page) => chooseAction(page, item, userHelp.actions);
  const user = { path: `users/${ids.user}`, ready: users.signedInAt };
  return {
    users: { path: 'users', ready: '1–20' },
    'no users': { path: 'users?role=ARBITER&isBlocked=true', ready: users.noneFiltered },
    user,
    'block a user': { ...user, open: choose(users.block) },
    'unblock a user': {
      path: `users/${ids.blocked}`,
      ready: users.signedInAt,
      open: press(users.unblock),
    },
    'give a role': { ...user, open: choose(users.giveRole) },
    'take a role': {
      path: `users/${ids.colleague}`,
      ready: users.noDevices,
      open: choose(users.takeRole),
    },
    'delete a user': { ...user, open: choose(users.delete) },
    'remove factors': { ...user, open: press(userActions.removeFactors) },
    'remove one factor': { ...user, open: press(`${userHelp.removeOne} ${users.app}`) },
    'disconnect a provider': { ...user, open: press(userHelp.disconnect) },
    'end all sessions': { ...user, open: press(users.endAll) },
    'end a session': { ...user, open: press(users.end) },
    'add a note': { ...user, open: press(users.add) },
    'block several users': {
      path: 'users?role=CUSTOMER',
      ready: '1–20',
      open: pressForSeveral(userList.block),
    },
    'missing user': { path: 'users/5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11', ready: users.missing },
  };
};

const listProjectScreens = ({ projects }: ConsoleWords, { project }: ScreenIds): Screens => {
  const one = { path: `projects/${project}`, ready: projects.id };
  return {
    projects: { path: 'projects', ready: '1–20' },
    project: one,
    'delete a project': { ...one, open: press(projects.delete) },
    'edit a project': { path: `${one.path}/edit`, ready: projects.nothingChanged },
    'leave a changed project': {
      path: `${one.path}/edit`,
      ready: projects.nothingChanged,
      open: async (page) => {
        await page.locator('input[name=title]').fill('Another title');
        await page.locator('main a').first().click();
      },
    },
    'deleted projects': { path: 'projects/deleted', ready: projects.restore },
  };
};

/** Types into the search for everything, and waits until the hits are there. */
const openSearch = (text: string, found: RegExp) => async (page: Page) => {
  await page.keyboard.press('Control+K');
  await page.locator('.palette-input').fill(text);
  await page.locator('.palette [role=status]').getByText(found).waitFor();
};

/** Every screen of an ADMIN, and every dialog on them. @param search what the records of `prepareScreens` contain */
export const listScreens = (words: ConsoleWords, ids: ScreenIds, search: string): Screens => {
  const { teams, invitations, mails, contact } = words;
  const team = { path: `teams/${ids.team}`, ready: teams.canSign };
  const failed = { path: 'mails?state=failed', ready: 'Rejected: 550' };
  const overview = { path: '', ready: words.overview.latest };
  const colleagues = { path: 'colleagues', ready: invitations.withdraw };
  return {
    overview,
    'search with hits': { ...overview, open: openSearch(search, /\d/) },
    'search without a hit': {
      ...overview,
      open: openSearch('q'.repeat(255), new RegExp(words.search.nothing)),
    },
    shortcuts: { ...overview, open: (page) => page.keyboard.press('?') },
    ...listUserScreens(words, ids),
    ...listProjectScreens(words, ids),
    teams: { path: 'teams?status=ONBOARDING', ready: '1–' },
    team,
    'verify a team': { ...team, open: press(teams.verifyAndNext) },
    'audit log': { path: 'audit-log', ready: words.log.details },
    requests: { path: 'contact-requests', ready: contact.views.mine },
    'a request': { path: `contact-requests/${ids.request}`, ready: contact.doneAndNext },
    'mark several requests': {
      path: 'contact-requests',
      ready: contact.views.mine,
      open: pressForSeveral(contact.done),
    },
    colleagues,
    'invite a colleague': { ...colleagues, open: press(invitations.invite) },
    'send an invitation again': { ...colleagues, open: press(invitations.resend) },
    'withdraw an invitation': { ...colleagues, open: press(invitations.withdraw) },
    mails: failed,
    'delete a mail': { ...failed, open: press(mails.delete) },
  };
};

const pressPopover = (index: number) => (page: Page) =>
  page.locator('main [aria-haspopup=dialog]').nth(index).click();

/** The menus and panels of these screens, which are placed where their button is. */
export const listMenus = (words: ConsoleWords, ids: ScreenIds): Screens => ({
  'actions of a user': {
    path: `users/${ids.user}`,
    ready: words.users.signedInAt,
    open: press(words.userHelp.actions),
  },
  'filter of users': { path: 'users', ready: '1–20', open: press(words.common.filter) },
  'actions in the log': { path: 'audit-log', ready: words.log.details, open: pressPopover(0) },
  'people in the log': { path: 'audit-log', ready: words.log.details, open: pressPopover(1) },
  'assignee of a request': {
    path: `contact-requests/${ids.request}`,
    ready: words.contact.doneAndNext,
    open: press(`${words.contact.assignedTo} ${words.contact.nobody}`),
  },
});

const CHANGES = { fields: ['title'], changes: { title: { from: 'Shop', to: 'Web shop' } } };

const createRequest = async (admin: Person, toText: ToText): Promise<string> => {
  const id = await withRecords(async ({ query }) => {
    const [row] = await query<{ id: string }>(
      `insert into support_requests (name, email, subject, message) values ($1, $2, $3, $4) returning id`,
      [toText(100), uniqueEmail(), toText(200), toText(4_000)],
    );
    return row?.id ?? '';
  });
  for (const [entries, length] of [
    ['notes', 2_000],
    ['replies', 4_000],
  ] as const)
    await callAs(admin, 'POST', `/administrator/contact-requests/${id}/${entries}`, { text: toText(length) });
  return id;
};

/** Creates what the screens show. @param toText of everything that somebody has typed */
const prepareScreens = async (
  admin: Person,
  toText: ToText = () => `Florist ${uniqueWord()}`,
): Promise<ScreenIds> => {
  const names = { firstName: toText(100), lastName: toText(100) };
  const [team, colleague] = [await createTeam(toText(255)), await createColleague('OPERATOR')];
  const request = await createRequest(admin, toText);
  const blocked = await createCustomer(names);
  const user = await createCustomer({ ...names, email: `${'w'.repeat(40)}${uniqueEmail()}` });
  const project = await createProject(toText(255));
  await callAs(admin, 'PATCH', `/users/${blocked.id}/block`);
  for (const { id } of [user, blocked])
    await callAs(admin, 'POST', `/users/${id}/notes`, { text: toText(2_000) });
  await withRecords(async (records) => {
    const { query } = records;
    await records.failedMail();
    await records.invitation();
    await addSecondFactor(records, user.id);
    await query('update passkeys set name = $2 where user_id = $1', [user.id, toText(64)]);
    await query(
      `insert into identities (user_id, provider, issuer, subject, email) values ($1::uuid, 'company', 'issuer', $1, $2)`,
      [user.id, `${'w'.repeat(60)}@example.com`],
    );
    await query('update projects set description = $2, owner_id = $3 where id = $1', [
      project.id,
      toText(4_000),
      user.id,
    ]);
    await query('update teams set bio = $2, external_experience = $2 where id = $1', [
      team.id,
      toText(2_000),
    ]);
    await query('update employee_profiles set first_name = $2, last_name = $2 where first_name = $1', [
      'Mila',
      toText(100),
    ]);
    await records.project({ title: toText(255), ownerId: user.id, deletedAt: new Date() });
    await query(
      `insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details)
       values ('PROJECT_EDITED', $1, 'PROJECT', $2, 'request', '203.0.113.7', $3)`,
      [user.id, project.id, CHANGES],
    );
  });
  return {
    user: user.id,
    blocked: blocked.id,
    colleague: colleague.id,
    project: project.id,
    team: team.id,
    request,
  };
};

/** Opens the screen, and its dialog or menu. */
export const showScreen = async (page: Page, { path, ready, open }: Screen, width: number): Promise<void> => {
  // First, because another path within the page would keep an open dialog.
  await page.goto('about:blank');
  await page.setViewportSize({ width, height: 900 });
  await page.goto(consoleUrl(path));
  await page.locator('main').getByText(ready).first().waitFor();
  await page.waitForLoadState('networkidle');
  if (open === undefined) return;
  await open(page);
  await page.locator('dialog[open], .menu').waitFor();
};

/** Signs an ADMIN in, and creates what the screens show. @param toText of everything that somebody has typed */
export const openScreens = async (
  openBrowser: OpenBrowser,
  options: BrowserContextOptions,
  words: ConsoleWords,
  toText?: ToText,
): Promise<{ page: Page; ids: ScreenIds }> => {
  const admin = await createColleague('ADMIN');
  const page = await openSignedIn(openBrowser, admin, { options, allows: [/status of 404/] });
  await waitForHeading(page, words.overview.title);
  return { page, ids: await prepareScreens(admin, toText) };
};
