import { findDatabaseUrl, runCli } from '@platform/shared/config/cli';
import { readProcessUrls } from './logins.ts';
import { migrateDatabase } from './migrate.ts';
import { VERSION } from './releases.ts';

const describe = ({ newerRelease, names }: Awaited<ReturnType<typeof migrateDatabase>>): string => {
  if (newerRelease !== undefined)
    return `Release ${newerRelease}, newer than ${VERSION}, has migrated this database: nothing was changed.`;
  return names.length === 0 ? 'The schema is up to date.' : `Ran ${names.join(', ')}.`;
};

// `npm run migrate`: in production, a job that runs before the services of a release start.
await runCli(async () => {
  const databaseUrl = await findDatabaseUrl(process.env);
  const result = await migrateDatabase(databaseUrl, readProcessUrls(process.env));
  return [describe(result), ...result.notes].join('\n');
});
