import { findDatabaseUrl, runCli } from '@platform/shared/config/cli';
import { describeRights, readProcessUrls } from '@platform/shared/db/database-logins';
import { migrateDatabase } from '@platform/shared/db/migrate';

// `npm run migrate`: in production a job that runs before the services of a release start.
await runCli(async () => {
  const databaseUrl = await findDatabaseUrl(process.env);
  const { names, ...rights } = await migrateDatabase(databaseUrl, readProcessUrls(process.env));
  const schema = names.length === 0 ? 'The schema is up to date.' : `Ran ${names.join(', ')}.`;
  return [schema, ...describeRights(rights)].join('\n');
});
