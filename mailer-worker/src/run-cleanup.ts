import { readEnvironment, url } from '@platform/shared/config/env';
import { connectDatabase } from '@platform/shared/db/database';
import { removeExpiredTokens } from './remove-expired-tokens.ts';

// `npm run cleanup:tokens`: what the worker does at 03:00, now.
const { DATABASE_URL } = readEnvironment(process.env, { DATABASE_URL: url() });
const database = connectDatabase({
  url: DATABASE_URL,
  applicationName: 'cleanup',
  maxConnections: 1,
  onError: (error) => console.error(error.message),
});
try {
  console.log(`Removed ${await removeExpiredTokens(database)} expired token records.`);
} finally {
  await database.close();
}
