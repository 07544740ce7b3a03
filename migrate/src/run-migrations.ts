import { findDatabaseUrl, runCli } from '@platform/shared/config/cli';
import { readProcessUrls } from './logins.ts';
import { migrateDatabase } from './migrate.ts';

// `npm run migrate`: in production, a job that runs before the services of a release start.
await runCli(async () => {
  const databaseUrl = await findDatabaseUrl(process.env);
  const { names, notes } = await migrateDatabase(databaseUrl, readProcessUrls(process.env));
  const schema = names.length === 0 ? 'The schema is up to date.' : `Ran ${names.join(', ')}.`;
  return [schema, ...notes].join('\n');
});
