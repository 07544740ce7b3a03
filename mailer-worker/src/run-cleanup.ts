import { findDatabaseUrl, runCli } from '@platform/shared/config/cli';
import { connectDatabase } from '@platform/shared/db/database';
import { removeExpiredTokens } from './cleanup/remove-rows.ts';

// `npm run cleanup:tokens`: what the worker does at 03:00, now.
await runCli(async () => {
  const database = connectDatabase({
    url: await findDatabaseUrl(process.env),
    applicationName: 'cleanup',
    maxConnections: 1,
    onError: (error) => console.error(error.message),
  });
  try {
    return `Removed ${await removeExpiredTokens(database)} expired token records.`;
  } finally {
    await database.close();
  }
});
