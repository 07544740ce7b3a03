import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { browserTest, type OpenBrowser } from '../support/browser-test.ts';
import { actionsOf, createProject, withRecords } from './back-office-records.ts';
import {
  consoleUrl,
  createColleague,
  ENGLISH,
  GERMAN,
  openSignedIn,
  type Person,
  REJECTED,
} from './console-tab.ts';

/** Two administrators with the same page, the first in English, the second in German. @param ready selects what they wait for */
const openTwo = async (openBrowser: OpenBrowser, path: string, ready: string) => {
  const open = async (person: Person, options: typeof ENGLISH) => {
    const page = await openSignedIn(openBrowser, person, { options, path, allows: [REJECTED] });
    await page.locator(ready).waitFor();
    return page;
  };
  const [first, second] = [await createColleague('ADMIN'), await createColleague('ADMIN')];
  return { first, second, one: await open(first, ENGLISH), other: await open(second, GERMAN) };
};

/** These elements are there once a request, or the form of a project, is loaded. */
const DONE = '.request-bar [aria-keyshortcuts=e]';
const FORM = 'textarea[name=description]';

const createRequest = () => withRecords((records) => records.contactRequest());
const status = (page: Page, text: string | RegExp): Locator => page.getByRole('status').getByText(text);
const reload = async (page: Page, path: string): Promise<void> => {
  await page.goto(consoleUrl(path));
  await page.locator('main h1').waitFor();
};

describe('two administrators in the console', () => {
  it(
    'who take one request at once agree on who has it',
    browserTest(async (openBrowser) => {
      const id = await createRequest();
      const path = `contact-requests/${id}`;
      const { first, second, one, other } = await openTwo(openBrowser, path, DONE);
      await Promise.all([one.keyboard.press('a'), other.keyboard.press('a')]);
      await Promise.all([status(one, 'The request is').waitFor(), status(other, 'Die Anfrage').waitFor()]);
      const [row] = await withRecords((records) =>
        records.query<{ assigneeId: string }>(
          'select assignee_id as "assigneeId" from lead_requests where id = $1',
          [id],
        ),
      );
      expect([first.id, second.id]).to.include(row?.assigneeId);
      const isFirst = row?.assigneeId === first.id;
      await reload(one, path);
      await one
        .getByRole('button', { name: `Assigned to: ${isFirst ? 'You' : second.email}`, exact: true })
        .waitFor();
      await reload(other, path);
      await other
        .getByRole('button', { name: `Zugewiesen: ${isFirst ? first.email : 'Sie'}`, exact: true })
        .waitFor();
    }),
  );

  it(
    'who finish one request at once both hear that it is done, which is recorded once',
    browserTest(async (openBrowser) => {
      const id = await createRequest();
      const { one, other } = await openTwo(openBrowser, `contact-requests/${id}`, DONE);
      await Promise.all([one.keyboard.press('e'), other.keyboard.press('e')]);
      await status(one, 'The request is done.').waitFor();
      await status(other, 'Die Anfrage ist erledigt.').waitFor();
      expect(await actionsOf(id)).to.deep.equal(['CONTACT_REQUEST_DONE']);
    }),
  );

  it(
    'who edit different fields of one project at once lose nothing',
    browserTest(async (openBrowser) => {
      const { id } = await createProject();
      const { one, other } = await openTwo(openBrowser, `projects/${id}/edit`, FORM);
      await one.locator('input[name=title]').fill('Bakery web shop');
      await other.locator('textarea[name=description]').fill('Fifty products in one shop');
      const save = one.getByRole('button', { name: 'Save changes' });
      const sichern = other.locator('main form button[type=submit]');
      await Promise.all([save.click(), sichern.click()]);
      const saved = { one: status(one, 'The changes are saved.'), other: status(other, 'gespeichert') };
      const merged = {
        one: one.getByRole('alert').getByText(/^Saved by /),
        other: other.getByRole('alert').getByText(/gespeichert/),
      };
      await saved.one.or(merged.one).first().waitFor();
      await saved.other.or(merged.other).first().waitFor();
      // The administrator who was later is shown the colleague's change, and saves the rest.
      if (await merged.one.isVisible()) await save.click();
      if (await merged.other.isVisible()) await sichern.click();
      await Promise.all([saved.one.waitFor(), saved.other.waitFor()]);
      const [row] = await withRecords((records) =>
        records.query('select title, description from projects where id = $1', [id]),
      );
      expect(row).to.deep.equal({ title: 'Bakery web shop', description: 'Fifty products in one shop' });
      expect(await actionsOf(id)).to.deep.equal(['PROJECT_EDITED', 'PROJECT_EDITED']);
    }),
  );

  it(
    'of whom one deletes a project while the other edits it keep the text, and say why it is not saved',
    browserTest(async (openBrowser) => {
      const { id, title } = await createProject();
      const { one, other } = await openTwo(openBrowser, `projects/${id}/edit`, FORM);
      await other.locator('textarea[name=description]').fill('Fünfzig Produkte');
      await reload(one, `projects/${id}`);
      await one.getByRole('button', { name: 'Delete …' }).click();
      await one.getByRole('button', { name: 'Delete project' }).click();
      await status(one, `“${title}” is deleted.`).waitFor();
      await other.locator('main form button[type=submit]').click();
      await other
        .getByRole('alert')
        .getByText(/inzwischen gelöscht/)
        .waitFor();
      expect(await other.locator('textarea[name=description]').inputValue()).to.equal('Fünfzig Produkte');
      expect(await actionsOf(id)).to.deep.equal(['PROJECT_DELETED']);
    }),
  );
});
