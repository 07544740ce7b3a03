import { readFile } from 'node:fs/promises';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { freezePostgres, freezeProcess } from '@platform/shared/testing/freeze';
import { send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { browserTest } from '../support/browser-test.ts';
import { getPlatform } from '../support/platform.ts';
import { actionsOf, createCustomer, createTeam, withRecords } from './back-office-records.ts';
import {
  callAs,
  chooseAction,
  chooseFilter,
  createColleague,
  inbox,
  openSignedIn,
  REJECTED,
  readPolicyViolations,
  waitForHeading,
} from './console-tab.ts';

/** A frozen process keeps its connections open, so that only a timeout ends a request. */
const OUTAGES = [
  {
    part: 'PostgreSQL',
    freeze: ({ databaseUrl, pids }: ReturnType<typeof getPlatform>) =>
      freezePostgres(databaseUrl, pids.postgres),
    words: 'cannot be reached at the moment',
  },
  {
    part: 'the gateway',
    freeze: ({ pids }: ReturnType<typeof getPlatform>) => freezeProcess(pids.gateway),
    words: 'The server does not answer.',
  },
];

const HOSTILE = '<img src=x onerror="document.title=1">';

describe('back office in the console', () => {
  it(
    'leads from what waits to a team, which is verified after a look at its members',
    browserTest(async (openBrowser) => {
      const team = await createTeam();
      const page = await openSignedIn(openBrowser, 'ADMIN');
      await page.getByRole('link', { name: /^Teams to verify/ }).click();
      await waitForHeading(page, 'Teams');
      await page.getByRole('link', { name: team.name }).click();
      await waitForHeading(page, team.name);
      await page.getByRole('link', { name: 'Mila Horvat' }).waitFor();
      await page.getByText('No administrator may sign').waitFor({ state: 'detached' });
      await page.getByText('Address not verified').first().waitFor();
      await page.getByRole('button', { name: /^Verify/ }).click();
      const dialog = page.getByRole('dialog', { name: `Verify ${team.name}?` });
      await dialog.getByText('with 2 active members').waitFor();
      await dialog.getByRole('button', { name: 'Verify team' }).click();
      await page.getByRole('status').getByText(`${team.name} is verified.`).waitFor();
      await page.goto(new URL(`/console/teams/${team.id}`, page.url()).href);
      await page.getByText('verified the team').waitFor();
      expect(await page.getByRole('button', { name: /^Verify/ }).count()).to.equal(0);
      expect(await actionsOf(team.id)).to.deep.equal(['TEAM_VERIFIED']);
      expect(await readPolicyViolations(page)).to.deep.equal([]);
    }),
  );

  it(
    'marks a contact form as done, with undo, and shows what was typed as text',
    browserTest(async (openBrowser) => {
      const email = uniqueEmail();
      const form = { name: HOSTILE, email, subject: HOSTILE, message: `First line\n${HOSTILE}` };
      await send(getPlatform().gatewayUrl, 'POST', '/api/v1/contact/support', { body: form });
      const page = await openSignedIn(openBrowser, 'ADMIN', { path: 'contact-requests' });
      await page.locator('[data-row] button').first().click();
      await page.getByText(email, { exact: true }).waitFor();
      const mark = page.getByRole('button', { name: 'Done and next' });
      await mark.click();
      await page.getByText('The request is done.').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('status').getByText('The request is open again.').waitFor();
      await page.locator('[data-row]').filter({ hasText: 'onerror' }).first().waitFor();
      expect(await page.locator('main img').count()).to.equal(0);
      expect(await page.title()).to.equal('Requests – Marketplace');
      expect(await readPolicyViolations(page)).to.deep.equal([]);
    }),
  );

  it(
    'deletes the only mail of the last page, and then shows the page before, with the focus on its heading',
    browserTest(async (openBrowser) => {
      await withRecords(async (records) => {
        await records.query('delete from mail_outbox where failed_at is not null');
        for (let count = 0; count < 21; count += 1) await records.failedMail();
      });
      const page = await openSignedIn(openBrowser, 'ADMIN', { path: 'mails?state=failed&page=2' });
      await page.getByText('21–21 of 21').waitFor();
      await page.getByRole('button', { name: /^Delete/ }).click();
      await page.getByRole('button', { name: 'Delete mail' }).click();
      await page.getByText('1–20 of 20').waitFor();
      await page.locator('h1:focus').waitFor();
      expect(new URL(page.url()).search).to.equal('?state=failed');
    }),
  );

  it(
    'invites a colleague, withdraws the invitation, and counts down when there were too many',
    browserTest(async (openBrowser) => {
      const me = await createColleague('ADMIN');
      const page = await openSignedIn(openBrowser, me, { path: 'colleagues', allows: [REJECTED] });
      const email = uniqueEmail();
      const openDialog = () => page.getByRole('button', { name: 'Invite a colleague' }).click();
      await openDialog();
      await page.locator('input[name=email]').fill(email);
      await page.locator('select[name=role]').selectOption('ARBITER');
      await page.getByRole('button', { name: 'Send invitation' }).click();
      await page.getByText(`${email} is invited.`).waitFor();
      await inbox().untilMail(email, 'invit');
      await page.getByRole('button', { name: `Withdraw … ${email}` }).click();
      await page.getByRole('button', { name: 'Withdraw invitation' }).click();
      await page.getByText(`The invitation for ${email} is withdrawn.`).waitFor();

      for (let sent = 1; sent < 20; sent += 1)
        await callAs(me, 'POST', '/administrator/invitations', { email: uniqueEmail(), role: 'OPERATOR' });
      await openDialog();
      await page.locator('input[name=email]').fill(uniqueEmail());
      await page.getByRole('button', { name: 'Send invitation' }).click();
      await page
        .getByText(/Try again in/)
        .first()
        .waitFor();
      const button = page.locator('dialog[open] form button[type=submit]');
      expect(await button.getAttribute('aria-disabled')).to.equal('true');
    }),
  );

  it(
    'shows the log of one user, page by page, and exports it',
    browserTest(async (openBrowser) => {
      const customer = await createCustomer();
      await withRecords((records) =>
        records.query(
          `insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details, created_at)
           select 'PROFILE_CHANGED', $1::uuid, 'USER', $1::text, 'request', '203.0.113.7', '{}', now() - n * interval '1 minute'
           from generate_series(1, 95) n`,
          [customer.id],
        ),
      );
      const page = await openSignedIn(openBrowser, 'ADMIN', { path: `audit-log?userId=${customer.id}` });
      // Repeats within ten minutes are one row.
      await page.getByText('changed their profile (11 times)').nth(3).waitFor();
      await page.getByRole('button', { name: 'Older' }).click();
      await page.getByRole('button', { name: 'Back to the newest' }).waitFor();
      await page.goBack();
      await page.getByRole('button', { name: 'Back to the newest' }).waitFor({ state: 'detached' });
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export CSV …' }).click();
      await page.getByRole('button', { name: 'Export CSV', exact: true }).click();
      const file = await (await downloading).path();
      const lines = (await readFile(file, 'utf8')).trim().split('\r\n');
      expect(lines).to.have.length(96);
      expect(lines[1]).to.include('PROFILE_CHANGED').and.include(customer.email);
      await page.getByRole('button', { name: 'What: everything' }).click();
      await page.getByRole('checkbox', { name: 'Blocks, roles, sessions' }).check();
      await page.getByRole('checkbox', { name: 'Teams' }).check();
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await page.getByText('No record matches these filters.').waitFor();
      await page.getByRole('button', { name: 'Remove filter Who' }).waitFor();
    }),
  );

  it(
    'says at the next request that the role was taken in another tab',
    browserTest(async (openBrowser) => {
      const me = await createColleague('ADMIN');
      const page = await openSignedIn(openBrowser, me, { path: 'users', allows: [REJECTED] });
      await page.locator('tbody tr').first().waitFor();
      await withRecords((records) => records.removeRoles(me.id));
      await page.getByRole('link', { name: 'Projects' }).click();
      await page.getByText('exactly one role: Admin, Operator or Arbiter').waitFor();
    }),
  );

  for (const { part, freeze, words } of OUTAGES)
    it(
      `keeps the rows while ${part} does not respond, says so within 15 s, and goes on by itself`,
      browserTest(async (openBrowser) => {
        const page = await openSignedIn(openBrowser, 'ADMIN', { path: 'users', allows: [/status of 50\d/] });
        await page.locator('tbody tr').nth(5).waitFor();
        const notice = page.getByRole('alert').filter({ hasText: words });
        const thaw = await freeze(getPlatform());
        try {
          await chooseFilter(page, 'Admin');
          await notice.getByText(/Shown as of \d\d:\d\d/).waitFor({ timeout: 15_000 });
          expect(await page.locator('tbody tr').count()).to.be.above(5);
        } finally {
          await thaw();
        }
        await notice.waitFor({ state: 'detached' });
        await page.locator('tbody tr').first().getByText('Admin').first().waitFor();
      }),
    );

  it(
    'keeps the rows without a connection, and goes on by itself',
    browserTest(async (openBrowser) => {
      const page = await openSignedIn(openBrowser, 'ADMIN', {
        path: 'users',
        allows: [/ERR_INTERNET_DISCONNECTED/],
      });
      await page.locator('tbody tr').first().waitFor();
      await page.context().setOffline(true);
      await chooseFilter(page, 'Admin');
      await page.getByText('No connection').first().waitFor();
      await page.locator('tbody tr').first().waitFor();
      await page.context().setOffline(false);
      await page.getByText('No connection').first().waitFor({ state: 'detached' });
    }),
  );

  it(
    'refuses to take the role of the last ADMIN, and says why',
    browserTest(async (openBrowser) => {
      const me = await createColleague('ADMIN');
      const page = await openSignedIn(openBrowser, me, { path: `users/${me.id}`, allows: [REJECTED] });
      await waitForHeading(page, me.email);
      const others = await withRecords((records) =>
        records.query<{ userId: string }>(
          `update users set is_blocked = true where id in (select user_id from user_roles where role = 'ADMIN')
           and id <> $1 and not is_blocked returning id as "userId"`,
          [me.id],
        ),
      );
      try {
        await chooseAction(page, 'Take the role …');
        await page.getByText('This is your own account').first().waitFor();
        await page.getByRole('button', { name: 'Take role' }).click();
        await page
          .getByRole('dialog')
          .getByRole('alert')
          .getByText(/last administrator/)
          .waitFor();
      } finally {
        await withRecords((records) =>
          records.query('update users set is_blocked = false where id = any($1)', [
            others.map(({ userId }) => userId),
          ]),
        );
      }
    }),
  );
});
