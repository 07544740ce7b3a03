import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { browserTest, type OpenBrowser } from '../support/browser-test.ts';
import { createColleague, openSignedIn, type Person, waitForHeading } from './console-tab.ts';
import { createSubject, openWrite, query, WRITES } from './writes.ts';

const countActions = async ({ id }: Person, action: string): Promise<number> =>
  (await query('select 1 from audit_records where actor_id = $1 and action = $2', id, action)).length;

/** Carries out each write, and resets the connection of the browser instead of the answer. */
const loseAnswers = (page: Page): Promise<unknown> =>
  page.route(
    (url) => /^\/api\/v1\/(users|projects|administrator)\//.test(url.pathname),
    async (route) => {
      if (route.request().method() === 'GET') return await route.fallback();
      expect((await route.fetch()).status(), 'status of the lost answer').to.be.within(200, 299);
      await route.abort('connectionreset');
    },
  );

const openAsAdmin = async (openBrowser: OpenBrowser) => {
  const admin = await createColleague('ADMIN');
  const page = await openSignedIn(openBrowser, admin, { allows: [/ERR_CONNECTION_RESET|status of 404/] });
  await waitForHeading(page, 'Overview');
  return { page, admin };
};

describe('lost answer to each write of the console', () => {
  for (const [area, writes] of Object.entries(WRITES))
    it(
      `ends as a success that came late, and the write is not repeated: ${area}`,
      browserTest(async (openBrowser) => {
        const { page, admin } = await openAsAdmin(openBrowser);
        const subject = await createSubject();
        const failures: string[] = [];
        for (const [name, write] of Object.entries(writes))
          try {
            const { send, said, action } = write;
            await openWrite(page, write, subject);
            const before = await countActions(admin, action);
            await loseAnswers(page);
            await send(page, subject);
            const status = page.getByRole('status').filter({ hasText: 'The answer came late.' });
            await status.getByText(said(subject)).waitFor();
            expect(await countActions(admin, action), action).to.equal(before + 1);
            await page.unrouteAll();
          } catch (error) {
            await page.unrouteAll();
            failures.push(`${name}: ${(error as Error).message.split('\n').slice(0, 6).join(' ')}`);
          }
        expect(failures.join('\n')).to.equal('');
      }),
    ).timeout(900_000);
});
