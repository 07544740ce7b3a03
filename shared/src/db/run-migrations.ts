import { findDatabaseUrl } from '../config/database-url.ts';
import { runCommand } from '../config/run-command.ts';
import { migrateDatabase } from './migrate.ts';

// `npm run migrate`: a job of its own in production, run before the services of a release start.
await runCommand(async () => {
  const names = await migrateDatabase(await findDatabaseUrl(process.env));
  return names.length === 0 ? 'The schema is up to date.' : `Ran ${names.join(', ')}.`;
});
