import { createOperationFinder, loadOperations } from '@platform/shared/testing/openapi-operations';
import { setProof } from '@platform/shared/testing/recent-proof';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { browserTest } from '../support/browser-test.ts';
import { getPlatform } from '../support/platform.ts';
import { chooseAction, createColleague, openSignedIn, REJECTED, waitForHeading } from './console-tab.ts';
import { createSubject, openWrite, WRITES, type Write } from './writes.ts';

const OPERATIONS = (await loadOperations()).filter(({ role }) => role !== undefined);
const PROVED = OPERATIONS.filter(({ needsRecentProof }) => needsRecentProof).map(({ id }) => id);
const findOperation = createOperationFinder(OPERATIONS);

/** Reads, and so cannot be lost. */
const EXPORT: Write = {
  path: ({ customer }) => `users/${customer.id}`,
  send: (page) => chooseAction(page, 'Export the data'),
  said: () => 'The data is saved as a file.',
  action: 'ACCOUNT_EXPORTED',
};

const STEPS = Object.entries({ export: EXPORT, ...WRITES['on users'], ...WRITES['of other work'] });

/** The operations of the back office that the page calls. */
const watchOperations = (page: Page): Set<string> => {
  const called = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    const operation = findOperation({ method: request.method(), path: pathname });
    if (operation) called.add(operation.id);
  });
  return called;
};

describe('recent proof of each operation in the console', () => {
  it(
    'is asked for where the document says so, and the operation goes on',
    browserTest(async (openBrowser) => {
      const admin = await createColleague('ADMIN');
      const page = await openSignedIn(openBrowser, admin, { allows: [REJECTED] });
      await waitForHeading(page, 'Overview');
      const subject = await createSubject();
      const called = watchOperations(page);
      const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
      const asked = new Set<string>();
      const failures: string[] = [];
      for (const [name, write] of STEPS)
        try {
          await openWrite(page, write, subject);
          await setProof(getPlatform().databaseUrl, { userId: admin.id });
          called.clear();
          await write.send(page, subject);
          const said = page.getByRole('status').getByText(write.said(subject));
          await proof.or(said).first().waitFor();
          if (await proof.isVisible()) {
            for (const id of PROVED.filter((each) => called.has(each))) asked.add(id);
            await proof.locator('input[name=currentPassword]').fill(admin.password);
            await proof.getByRole('button', { name: 'Confirm', exact: true }).click();
            await said.waitFor();
          }
        } catch (error) {
          failures.push(`${name}: ${(error as Error).message.split('\n').slice(0, 6).join(' ')}`);
        }
      expect(failures.join('\n')).to.equal('');
      expect([...asked]).to.have.members(PROVED);
    }),
  ).timeout(900_000);
});
