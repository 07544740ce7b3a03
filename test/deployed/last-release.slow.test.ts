import { randomBytes } from 'node:crypto';
import { createRecords } from '@platform/shared/testing/records';
import { startStack } from '@platform/shared/testing/stack';
import { createTestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { useRunning } from '@platform/shared/testing/use-running';
import { expect } from 'chai';
import { createCheckoutOf } from '../../tools/checkout-copy.ts';
import { findLastRelease } from '../../tools/releases.ts';
import { createAccounts, findFailures } from './run-checks.ts';

const { version, commit } = findLastRelease();

/** What has been started so far, to be stopped in the reverse order. */
const createCleanup = () => {
  const steps: (() => Promise<void>)[] = [];
  return {
    add: (step: () => Promise<void>) => steps.unshift(step),
    run: async (): Promise<void> => {
      for (const step of steps) await step();
    },
  };
};

/** The code of the last release, on a database that this checkout has migrated. */
const useLastRelease = () =>
  useRunning(async () => {
    const cleanup = createCleanup();
    try {
      const checkout = await createCheckoutOf(commit);
      cleanup.add(checkout.remove);
      const database = await createTestDatabase();
      cleanup.add(database.drop);
      const { stack, stop } = await startStack(
        {
          DATABASE_URL: database.url,
          AUTH_DATABASE_URL: await withLoginOf('auth', database.url),
          ADMIN_DATABASE_URL: await withLoginOf('admin', database.url),
          WORKER_DATABASE_URL: await withLoginOf('worker', database.url),
          SERVICES: 'shop',
          SERVICE_SHOP_SECRET: randomBytes(32).toString('base64url'),
        },
        checkout.root,
      );
      cleanup.add(stop);
      const records = createRecords(database.url);
      cleanup.add(records.close);
      return { stack, records, stop: cleanup.run };
    } catch (error) {
      await cleanup.run();
      throw error;
    }
  });

describe(`the last release (${version}, ${commit.slice(0, 8)}) on the schema of this checkout`, () => {
  const release = useLastRelease();

  it('passes check:deployed, with its own contract', async () => {
    const { stack, records } = release();
    const failures = await findFailures(stack.gatewayUrl, {
      accounts: await createAccounts(records),
      write: { mailDomain: 'example.com', inboxUrl: stack.inboxUrl },
      release: commit,
    });
    expect(failures).to.deep.equal([]);
  });
});
