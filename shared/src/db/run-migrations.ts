import { findDatabaseUrl, runCli } from '../config/cli.ts';
import { describeMissingRoles, readProcessUrls } from './database-logins.ts';
import { migrateDatabase } from './migrate.ts';

// `npm run migrate`: in production a job that runs before the services of a release start.
await runCli(async () => {
  const databaseUrl = await findDatabaseUrl(process.env);
  const { names, missingRoles } = await migrateDatabase(databaseUrl, readProcessUrls(process.env));
  const schema = names.length === 0 ? 'The schema is up to date.' : `Ran ${names.join(', ')}.`;
  return [schema, ...describeMissingRoles(missingRoles)].join('\n');
});
