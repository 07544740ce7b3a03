import { findDatabaseUrl } from '../config/database-url.ts';
import { runCommand } from '../config/run-command.ts';
import { migrateDatabase } from './migrate.ts';
import { describeMissingRoles, readProcessUrls } from './process-logins.ts';

// `npm run migrate`: a job of its own in production, run before the services of a release start.
await runCommand(async () => {
  const databaseUrl = await findDatabaseUrl(process.env);
  const { names, missingRoles } = await migrateDatabase(databaseUrl, readProcessUrls(process.env));
  const schema = names.length === 0 ? 'The schema is up to date.' : `Ran ${names.join(', ')}.`;
  return [schema, ...describeMissingRoles(missingRoles)].join('\n');
});
