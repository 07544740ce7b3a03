import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { browserTest } from '../support/browser-test.ts';
import { actionsOf, createProject, withRecords } from './back-office-records.ts';
import {
  callAs,
  chooseInAccountMenu,
  createColleague,
  GERMAN,
  openSignedIn,
  REJECTED,
  readPolicyViolations,
  waitForHeading,
} from './console-tab.ts';

/** Edits as a colleague does in another browser. */
const editElsewhere = async (id: string, body: object): Promise<void> => {
  const { status } = await callAs(await createColleague('ADMIN'), 'PATCH', `/projects/${id}`, body);
  expect(status).to.equal(200);
};

const title = (page: Page) => page.locator('input[name=title]');

describe('projects in the console', () => {
  it(
    'show what will change before it is saved, and ask before it is lost',
    browserTest(async (openBrowser) => {
      const project = await createProject();
      const page = await openSignedIn(openBrowser, 'ADMIN', { path: `projects/${project.id}` });
      await waitForHeading(page, project.title);
      await page.getByRole('link', { name: 'Edit' }).click();
      await waitForHeading(page, 'Edit project');
      await title(page).fill('B');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByText('Enter a title of 3 to 255 characters.').waitFor();
      await title(page).fill('Bakery web shop');
      await page.getByText('Will be saved: Title.').waitFor();
      const question = page.getByRole('dialog', { name: 'Leave without saving?' });
      await chooseInAccountMenu(page, 'Shortcuts');
      await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor({ state: 'hidden' });
      expect(await question.isVisible(), 'a dialog leaves no page').to.equal(false);
      await page.getByRole('link', { name: 'Teams' }).click();
      await question.waitFor();
      await page.locator(':focus', { hasText: 'Stay here' }).click();
      await waitForHeading(page, 'Edit project');
      expect(await title(page).inputValue()).to.equal('Bakery web shop');
      // `goBack` would wait for the navigation that the page prevents.
      await page.evaluate('history.back()');
      await question.getByRole('button', { name: 'Leave without saving' }).click();
      await waitForHeading(page, project.title);
      await page.goForward();
      await waitForHeading(page, 'Edit project');
      expect(await title(page).inputValue(), 'the draft stays').to.equal('Bakery web shop');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await waitForHeading(page, 'Bakery web shop');
      await page.getByText('The changes are saved.').waitFor();
      await page.getByText('changed the title of').waitFor();
      expect(await question.isVisible(), 'saved changes are no reason to ask').to.equal(false);
      expect(await readPolicyViolations(page)).to.deep.equal([]);
    }),
  );

  it(
    'are merged field by field when two edit them at once',
    browserTest(async (openBrowser) => {
      const project = await createProject();
      const page = await openSignedIn(openBrowser, 'ADMIN', {
        path: `projects/${project.id}/edit`,
        allows: [REJECTED],
      });
      const description = page.locator('textarea[name=description]');
      await description.fill('Fifty products in one shop');
      await editElsewhere(project.id, { title: 'Their title' });
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page
        .getByRole('alert')
        .getByText(/^Saved by .+ at \d\d:\d\d, while you were editing$/)
        .waitFor();
      await page.getByText(`It was “${project.title}”.`).waitFor();
      expect(await title(page).inputValue()).to.equal('Their title');
      expect(await description.inputValue()).to.equal('Fifty products in one shop');

      await editElsewhere(project.id, { description: 'Forty products in three shops' });
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByText('Changed by both of you: Description.').waitFor();
      const theirs = page.getByRole('radio', { name: /^From / });
      expect(await page.getByRole('radio', { name: /^Yours/ }).isChecked()).to.equal(true);
      await theirs.focus();
      await page.keyboard.press('Space');
      await page.getByText('Nothing has changed yet.').waitFor();
      await page.getByRole('button', { name: 'Write a third' }).click();
      await description.fill('Fifty products in three shops');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await waitForHeading(page, 'Their title');
      await page.getByText('Fifty products in three shops').first().waitFor();
      expect(await actionsOf(project.id)).to.have.length(3);
    }),
  );

  it(
    'are deleted with undo, and found and restored by title, in German',
    browserTest(async (openBrowser) => {
      const project = await createProject();
      const page = await openSignedIn(openBrowser, 'ADMIN', { options: GERMAN });
      await waitForHeading(page, 'Übersicht');
      await page.goto(new URL(`/console/projects/${project.id}`, page.url()).href);
      const remove = async () => {
        await waitForHeading(page, project.title);
        await page.getByRole('button', { name: 'Löschen …' }).click();
        await page.getByRole('button', { name: 'Projekt löschen' }).click();
        await page.getByText(`„${project.title}“ ist gelöscht.`).waitFor();
      };
      await remove();
      await page.getByRole('button', { name: 'Rückgängig' }).click();
      await remove();
      await page.getByRole('link', { name: 'Gelöschte Projekte' }).click();
      await page.getByRole('searchbox', { name: 'Titel' }).fill(project.title.slice(4));
      await page.getByText('1–1 von 1').waitFor();
      await page.getByRole('button', { name: `Wiederherstellen: ${project.title}` }).click();
      await page.getByRole('link', { name: `„${project.title}“ ist wiederhergestellt.` }).click();
      await waitForHeading(page, project.title);
      expect(await actionsOf(project.id)).to.deep.equal([
        ...['PROJECT_DELETED', 'PROJECT_RESTORED', 'PROJECT_DELETED', 'PROJECT_RESTORED'],
      ]);
    }),
  );

  it(
    'show a hostile title as text',
    browserTest(async (openBrowser) => {
      const hostile = '<img src=x onerror="document.title=1">';
      const project = await createProject(hostile);
      await withRecords((records) =>
        records.query('update projects set description = $2 where id = $1', [project.id, hostile]),
      );
      const page = await openSignedIn(openBrowser, 'ADMIN', { path: `projects/${project.id}` });
      await waitForHeading(page, hostile);
      expect(await page.locator('main img').count()).to.equal(0);
      expect(await readPolicyViolations(page)).to.deep.equal([]);
    }),
  );
});
