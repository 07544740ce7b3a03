import { runCli } from '@platform/shared/config/cli';
import { withCommandDatabase } from '@platform/shared/db/command-database';
import { createInTransaction } from '@platform/shared/db/database';
import { createBackfillService } from './events/backfill-service.ts';
import { createBackfillStore } from './events/backfill-store.ts';

// `npm run events:backfill`: adds events of the users, teams and projects that exist already, for other services.

await runCli(async () => {
  const counts = await withCommandDatabase('events-backfill', (database) => {
    const toStores = (connection: typeof database) => ({ backfill: createBackfillStore(connection) });
    return createBackfillService({
      stores: toStores(database),
      inTransaction: createInTransaction(database, toStores),
      report: (progress) => process.stderr.write(`${progress}\n`),
    }).run();
  });
  if (counts.size === 0) return 'Added no events: all users, teams and projects have one of their creation.';
  return `Added events: ${[...counts].map(([type, count]) => `${count} ${type}`).join(', ')}.`;
});
