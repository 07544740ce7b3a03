import { findDatabaseUrl } from '@platform/shared/config/database-url';
import { runCommand } from '@platform/shared/config/run-command';
import { connectDatabase } from '@platform/shared/db/database';
import { removeExpiredTokens } from './remove-expired-tokens.ts';

// `npm run cleanup:tokens`: what the worker does at 03:00, now.
await runCommand(async () => {
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
