import { freezeProcess } from '@platform/shared/testing/freeze';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { browserTest } from '../support/browser-test.ts';
import { getPlatform } from '../support/platform.ts';
import { actionsOf, createProject, createTeam } from './back-office-records.ts';
import { createColleague, ENGLISH, GERMAN, openConsole, openSignedIn, signIn } from './console-tab.ts';

type Write = {
  /** Creates what is changed, and returns its id and the path of its page. */
  create: () => Promise<{ id: string; name: string; path: string }>;
  /** Up to the button that sends. */
  prepare: (page: Page, name: string) => Promise<void>;
  send: string;
  whether: (name: string) => string;
  said: (name: string) => string;
  action: string;
};

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();

const WRITES: Readonly<Record<string, Write>> = {
  'an edit of a project': {
    create: async () => {
      const { id, title } = await createProject();
      return { id, name: title, path: `projects/${id}/edit` };
    },
    prepare: (page) => page.locator('input[name=title]').fill('Bakery web shop'),
    send: 'Save changes',
    whether: () => 'It is not known whether your changes are saved.',
    said: () => 'The changes are saved. The answer came late.',
    action: 'PROJECT_EDITED',
  },
  'the deletion of a project': {
    create: async () => {
      const { id, title } = await createProject();
      return { id, name: title, path: `projects/${id}` };
    },
    prepare: (page) => press(page, 'Delete …'),
    send: 'Delete project',
    whether: (name) => `It is not known whether “${name}” is deleted.`,
    said: (name) => `“${name}” is deleted. The answer came late.`,
    action: 'PROJECT_DELETED',
  },
  'the verification of a team': {
    create: async () => {
      const { id, name } = await createTeam();
      return { id, name, path: `teams/${id}` };
    },
    prepare: (page) => press(page, /^Verify/),
    send: 'Verify team',
    whether: (name) => `It is not known whether ${name} is verified.`,
    said: (name) => `${name} is verified.`,
    action: 'TEAM_VERIFIED',
  },
};

const UNANSWERED = /Failed to load resource|ERR_|status of 50\d/;

describe('lost answers in the console', () => {
  for (const [what, { create, prepare, send, whether, said, action }] of Object.entries(WRITES))
    it(
      `are found out after the gateway has stopped in the middle of ${what}`,
      browserTest(async (openBrowser) => {
        const { id, name, path } = await create();
        const browser = await openBrowser(ENGLISH);
        browser.allowErrors(UNANSWERED);
        const page = await openConsole(browser, path);
        await signIn(page, await createColleague('ADMIN'));
        await prepare(page, name);
        const button = page.getByRole('button', { name: send });
        await button.waitFor();
        const thaw = freezeProcess(getPlatform().pids.gateway);
        try {
          await button.click();
          await page.getByText(whether(name)).first().waitFor();
          expect(await page.getByText(/network/i).count()).to.equal(0);
        } finally {
          await thaw();
        }
        // The gateway forwards it or not, as it noticed that the browser no longer waits. The page says which.
        const done = page.getByRole('status').getByText(said(name));
        await done.or(page.getByText('The server says that it was not done').first()).waitFor();
        expect(await actionsOf(id)).to.deep.equal((await done.isVisible()) ? [action] : []);
      }),
    );

  it(
    'of a write that never arrived are not taken for a success, and it can be sent again, in German',
    browserTest(async (openBrowser) => {
      const project = await createProject();
      const page = await openSignedIn(openBrowser, 'ADMIN', {
        options: GERMAN,
        path: `projects/${project.id}`,
        allows: [UNANSWERED],
      });
      await press(page, 'Löschen …');
      await page.route(`**/projects/${project.id}`, (route) =>
        route.request().method() === 'DELETE' ? route.abort('connectionreset') : route.continue(),
      );
      const dialog = page.locator('dialog[open]');
      await dialog.getByRole('button', { name: 'Projekt löschen' }).click();
      await dialog.getByText(`Es ist nicht bekannt, ob „${project.title}“ gelöscht ist.`).waitFor();
      await dialog.getByText(/Laut Server wurde es nicht ausgeführt/).waitFor();
      expect(await actionsOf(project.id)).to.deep.equal([]);
      await page.unroute(`**/projects/${project.id}`);
      await dialog.getByRole('button', { name: 'Projekt löschen' }).click();
      await page.getByRole('status').getByText(`„${project.title}“ ist gelöscht.`).waitFor();
    }),
  );
});
