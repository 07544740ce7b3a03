import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { browserTest } from '../support/browser-test.ts';
import { inspectPage } from '../support/inspect-page.ts';
import { createCustomer, createProject, createTeam, withRecords } from './back-office-records.ts';
import {
  createColleague,
  ENGLISH,
  GERMAN,
  openConsole,
  readPolicyViolations,
  signIn,
  waitForHeading,
} from './console-tab.ts';

type Screen = { path: string; ready: string; click?: string };

/** A screen is complete when `ready` is there; `click` opens a dialog on it. */
const listScreens = (ids: { user: string; project: string; team: string }): Record<string, Screen> => ({
  overview: { path: '', ready: 'Latest actions' },
  users: { path: 'users', ready: '1–20 of' },
  'no users': { path: 'users?role=ARBITER&isBlocked=true', ready: 'No user matches these filters.' },
  user: { path: `users/${ids.user}`, ready: 'Chrome on Windows' },
  'block a user': { path: `users/${ids.user}`, ready: 'Chrome on Windows', click: 'Block …' },
  'give a role': { path: `users/${ids.user}`, ready: 'Chrome on Windows', click: 'Give a role …' },
  'delete a user': { path: `users/${ids.user}`, ready: 'Chrome on Windows', click: 'Delete …' },
  'end all sessions': { path: `users/${ids.user}`, ready: 'Chrome on Windows', click: 'End all …' },
  'add a note': { path: `users/${ids.user}`, ready: 'Chrome on Windows', click: 'Add …' },
  projects: { path: 'projects', ready: '1–20 of' },
  project: { path: `projects/${ids.project}`, ready: 'Project id' },
  'delete a project': { path: `projects/${ids.project}`, ready: 'Project id', click: 'Delete …' },
  'edit a project': { path: `projects/${ids.project}/edit`, ready: 'Nothing has changed yet.' },
  'deleted projects': { path: 'projects/deleted', ready: 'of' },
  teams: { path: 'teams?status=ONBOARDING', ready: 'Onboarding' },
  team: { path: `teams/${ids.team}`, ready: 'may sign' },
  'verify a team': { path: `teams/${ids.team}`, ready: 'may sign', click: 'Verify …' },
  'audit log': { path: 'audit-log', ready: 'Details' },
  'contact forms': { path: 'contact-requests', ready: 'Mark as done' },
  invitations: { path: 'invitations', ready: 'Withdraw …' },
  mails: { path: 'mails?state=failed', ready: 'Rejected: 550' },
  'missing user': {
    path: 'users/5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11',
    ready: 'There is no user with this id',
  },
});

const prepareRecords = async () => {
  const user = await createCustomer({ isBlocked: false });
  const [project, team] = [await createProject(), await createTeam()];
  await withRecords(async (records) => {
    await records.contactRequest();
    await records.failedMail();
    await records.invitation();
    await records.query(
      `insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details)
       values ('PROJECT_EDITED', $1, 'PROJECT', $2, 'request', '203.0.113.7',
         '{"fields": ["title"], "changes": {"title": {"from": "Shop", "to": "Web shop"}}}')`,
      [user.id, project.id],
    );
  });
  return { user: user.id, project: project.id, team: team.id };
};

const show = async (page: Page, { path, ready, click }: Screen): Promise<void> => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(new URL(`/console/${path}`, page.url()).href);
  await page.getByText(ready).first().waitFor();
  await page.waitForLoadState('networkidle');
  if (click === undefined) return;
  await page.getByRole('button', { name: click, exact: true }).first().click();
  await page.locator('dialog[open]').waitFor();
};

describe('appearance of the back office', () => {
  for (const colorScheme of ['light', 'dark'] as const)
    it(
      `has no axe finding and no overflow, ${colorScheme}`,
      browserTest(async (openBrowser) => {
        const browser = await openBrowser({ ...ENGLISH, colorScheme });
        browser.allowErrors(/status of 404/);
        const page = await openConsole(browser);
        await signIn(page, await createColleague('ADMIN'));
        await waitForHeading(page, 'Overview');
        for (const [name, screen] of Object.entries(listScreens(await prepareRecords()))) {
          await show(page, screen);
          await inspectPage(page, `console ${name} ${colorScheme}`);
        }
        expect(await readPolicyViolations(page)).to.deep.equal([]);
      }),
    ).timeout(400_000);

  it(
    'has no overflow in German at 320 px, where words are longer',
    browserTest(async (openBrowser) => {
      const { user, project, team } = await prepareRecords();
      const page = await openConsole(await openBrowser({ ...GERMAN, viewport: { width: 320, height: 900 } }));
      await signIn(page, await createColleague('ADMIN'));
      await waitForHeading(page, 'Übersicht');
      for (const path of [
        '',
        'users',
        `users/${user}`,
        `projects/${project}/edit`,
        `teams/${team}`,
        'audit-log',
      ]) {
        await page.goto(new URL(`/console/${path}`, page.url()).href);
        await page.locator('main h1').waitFor();
        await page.waitForLoadState('networkidle');
        await inspectPage(page, `console german ${path.split('/')[0]}`);
      }
    }),
  ).timeout(200_000);
});
