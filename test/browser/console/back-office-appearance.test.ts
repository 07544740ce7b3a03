import { uniqueWord } from '@platform/shared/testing/records';
import { addSecondFactor } from '@platform/shared/testing/second-factors';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type ConsoleWords, wordsOf } from '../page-words.ts';
import { browserTest } from '../support/browser-test.ts';
import { inspectLightAndDark } from '../support/inspect-page.ts';
import { createCustomer, createProject, createTeam, withRecords } from './back-office-records.ts';
import {
  chooseAction,
  createColleague,
  ENGLISH,
  GERMAN,
  openConsole,
  readPolicyViolations,
  signIn,
  waitForHeading,
} from './console-tab.ts';

type Ids = {
  user: string;
  blocked: string;
  colleague: string;
  project: string;
  team: string;
  request: string;
};
/** A screen is complete when `ready` is there; `click` opens a dialog on it. */
type Screen = { path: string; ready: string; click?: string; menu?: string };

const listUserScreens = (
  { users: words, userActions, userHelp }: ConsoleWords,
  ids: Ids,
): Record<string, Screen> => {
  const ready = words.signedInAt;
  const path = `users/${ids.user}`;
  const menu = userHelp.actions;
  return {
    users: { path: 'users', ready: '1–20' },
    'no users': { path: 'users?role=ARBITER&isBlocked=true', ready: words.noneFiltered },
    user: { path, ready },
    'block a user': { path, ready, click: words.block, menu },
    'unblock a user': { path: `users/${ids.blocked}`, ready, click: words.unblock },
    'give a role': { path, ready, click: words.giveRole, menu },
    'take a role': { path: `users/${ids.colleague}`, ready: words.noDevices, click: words.takeRole, menu },
    'delete a user': { path, ready, click: words.delete, menu },
    'remove factors': { path, ready, click: userActions.removeFactors },
    'end all sessions': { path, ready, click: words.endAll },
    'end a session': { path, ready, click: words.end },
    'add a note': { path, ready, click: words.add },
    'missing user': { path: 'users/5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11', ready: words.missing },
  };
};

const listScreens = (words: ConsoleWords, ids: Ids): Record<string, Screen> => {
  const { projects, teams, invitations, mails } = words;
  const project = { path: `projects/${ids.project}`, ready: projects.id };
  const team = { path: `teams/${ids.team}`, ready: teams.canSign };
  return {
    overview: { path: '', ready: words.overview.latest },
    ...listUserScreens(words, ids),
    projects: { path: 'projects', ready: '1–20' },
    project,
    'delete a project': { ...project, click: projects.delete },
    'edit a project': { path: `${project.path}/edit`, ready: projects.nothingChanged },
    'deleted projects': { path: 'projects/deleted', ready: projects.restore },
    teams: { path: 'teams?status=ONBOARDING', ready: teams.notVerified },
    team,
    'verify a team': { ...team, click: teams.verifyAndNext },
    'audit log': { path: 'audit-log', ready: words.log.details },
    requests: { path: 'contact-requests', ready: words.contact.views.mine },
    'a request': { path: `contact-requests/${ids.request}`, ready: words.contact.doneAndNext },
    invitations: { path: 'invitations', ready: invitations.withdraw },
    'withdraw an invitation': {
      path: 'invitations',
      ready: invitations.withdraw,
      click: invitations.withdraw,
    },
    mails: { path: 'mails?state=failed', ready: 'Rejected: 550' },
    'delete a mail': { path: 'mails?state=failed', ready: 'Rejected: 550', click: mails.delete },
  };
};

const prepareRecords = async (): Promise<Ids> => {
  const [user, blocked] = [await createCustomer(), await createCustomer({ isBlocked: true })];
  const [project, team, colleague] = [
    await createProject(),
    await createTeam(),
    await createColleague('OPERATOR'),
  ];
  const request = await withRecords((records) => records.contactRequest());
  await withRecords(async (records) => {
    await records.failedMail();
    await records.invitation();
    await addSecondFactor(records, user.id);
    await records.project({ title: `Florist ${uniqueWord()}`, deletedAt: new Date() });
    await records.query(
      `insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details)
       values ('PROJECT_EDITED', $1, 'PROJECT', $2, 'request', '203.0.113.7',
         '{"fields": ["title"], "changes": {"title": {"from": "Shop", "to": "Web shop"}}}')`,
      [user.id, project.id],
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

const show = async (page: Page, { path, ready, click, menu }: Screen): Promise<void> => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(new URL(`/console/${path}`, page.url()).href);
  await page.locator('main').getByText(ready).first().waitFor();
  await page.waitForLoadState('networkidle');
  if (click === undefined) return;
  if (menu) await chooseAction(page, click, menu);
  // The column of the button has the same words.
  else
    await page
      .locator('main button')
      .and(
        // Beside its words a button may show its key.
        page.getByText(click, { exact: true }).or(page.getByRole('button', { name: click, exact: true })),
      )
      .first()
      .click();
  await page.locator('dialog[open]').waitFor();
};

const OPTIONS = { en: ENGLISH, de: GERMAN };

describe('appearance of the back office', () => {
  for (const language of ['en', 'de'] as const)
    it(
      `has no axe finding and no overflow, light and dark, ${language}`,
      browserTest(async (openBrowser) => {
        const browser = await openBrowser(OPTIONS[language]);
        const words = wordsOf(language);
        browser.allowErrors(/status of 404/);
        const page = await openConsole(browser);
        await signIn(page, await createColleague('ADMIN'));
        await waitForHeading(page, words.overview.title);
        for (const [name, screen] of Object.entries(listScreens(words, await prepareRecords()))) {
          await show(page, screen);
          await inspectLightAndDark(page, `console ${name} ${language}`);
        }
        expect(await readPolicyViolations(page)).to.deep.equal([]);
      }),
    ).timeout(600_000);
});
