import { expect } from 'chai';
import { browserTest } from '../support/browser-test.ts';
import { actionsOf, createTeam, withRecords } from './back-office-records.ts';
import { createColleague, ENGLISH, openConsole, signInByKeyboard, waitForHeading } from './console-tab.ts';

describe('queue of teams in the console', () => {
  it(
    'is worked off by keyboard alone, and leads back to the list',
    browserTest(async (openBrowser) => {
      await withRecords((records) =>
        records.query(`update teams set status = 'ACTIVE', verified_at = now() where status = 'ONBOARDING'`),
      );
      const [first, second, third] = [await createTeam(), await createTeam(), await createTeam()];
      const page = await openConsole(await openBrowser(ENGLISH), `teams/${first.id}`);
      await signInByKeyboard(page, await createColleague('ADMIN'));
      await waitForHeading(page, first.name);
      await page.getByText('1 of 3 to verify').waitFor();
      await page.keyboard.press('j');
      await waitForHeading(page, second.name);
      await page.getByText(`Next: ${third.name}`).waitFor();
      const verify = async (name: string) => {
        await page.keyboard.press('e');
        const dialog = page.getByRole('dialog', { name: `Verify ${name}?` });
        // Before it is known who the members are, there is nothing to confirm.
        await dialog.getByRole('button', { name: 'Verify team' }).and(page.locator(':focus')).waitFor();
        await page.keyboard.press('Enter');
        await page.getByRole('status').getByText(`${name} is verified.`).waitFor();
      };
      await verify(second.name);
      await waitForHeading(page, third.name);
      await page.locator('h1:focus').waitFor();
      await verify(third.name);
      await waitForHeading(page, first.name);
      await page.getByText('The last one').waitFor();
      await verify(first.name);
      await waitForHeading(page, 'Teams');
      await page.getByText('All teams are verified.').waitFor();
      for (const { id } of [first, second, third])
        expect(await actionsOf(id)).to.deep.equal(['TEAM_VERIFIED']);
    }),
  );
});
