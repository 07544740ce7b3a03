import { findDatabaseUrl, runCli } from '@platform/shared/config/cli';
import { connectDatabase } from '@platform/shared/db/database';
import { deleteExpiredTokens } from './cleanup/expired-rows.ts';

// `npm run cleanup:tokens`: deletes expired tokens now instead of at 03:00.
await runCli(async () => {
  const database = connectDatabase({
    url: await findDatabaseUrl(process.env),
    applicationName: 'cleanup',
    maxConnections: 1,
    onError: (error) => console.error(error.message),
  });
  try {
    return `Removed ${await deleteExpiredTokens(database)} expired token records.`;
  } finally {
    await database.close();
  }
});
