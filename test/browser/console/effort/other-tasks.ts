import { uniqueWord } from '@platform/shared/testing/records';
import { expect } from 'chai';
import { createProject, createTeam, withRecords } from '../back-office-records.ts';
import { callAs, waitForHeading } from '../console-tab.ts';
import { goTo, query, type Task } from './desk.ts';

let project = { id: '', title: '' };
let team = { id: '', name: '' };

/** The tasks about colleagues, teams, projects, requests, mails and the log. */
export const OTHER_TASKS: Readonly<Record<string, Task>> = {
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
    most: { keys: 4, clicks: 2 },
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
    most: { keys: 9, clicks: 3 },
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
      await said(words.mails.areSent('1', 1));
    },
    byMouse: async ({ words, button, said }) => {
      await button(new RegExp(`^${words.mails.retry}`))
        .first()
        .click();
      await said(words.mails.areSent('1', 1));
    },
  },
  'export the log': {
    before: { clicks: 2 },
    most: { keys: 7, clicks: 3 },
    open: (desk) => goTo(desk, ''),
    byKeyboard: async ({ page, words, keys, tabTo, button, dialog }) => {
      await keys('g', 'l');
      await waitForHeading(page, words.log.title);
      await tabTo(button(words.log.exportMore));
      await keys('Enter');
      await tabTo(dialog.getByRole('button', { name: words.log.export }));
      await Promise.all([page.waitForEvent('download'), keys('Enter')]);
    },
    byMouse: async ({ page, words, button, dialog }) => {
      await page.getByRole('navigation').getByRole('link', { name: words.log.title }).click();
      await button(words.log.exportMore).click();
      const download = dialog.getByRole('button', { name: words.log.export }).click();
      await Promise.all([page.waitForEvent('download'), download]);
    },
  },
};
