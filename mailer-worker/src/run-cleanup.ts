import { runCli } from '@platform/shared/config/cli';
import { withCommandDatabase } from '@platform/shared/db/command-database';
import { deleteExpiredTokens } from './cleanup/expired-rows.ts';

// `npm run cleanup:tokens`: deletes expired tokens now instead of at 03:00.
await runCli(async () => {
  const deleted = await withCommandDatabase('cleanup', deleteExpiredTokens);
  return `Deleted ${deleted} expired token records.`;
});
