import { migrateDatabase } from '@platform/shared/db/migrate';
import { queryDatabase } from '@platform/shared/testing/query-database';

/** A new database on the same server. */
export const createDatabase = async (serverUrl: string, name: string): Promise<string> => {
  await queryDatabase(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
};

export const createMigratedDatabase = async (serverUrl: string, name: string): Promise<string> => {
  const url = await createDatabase(serverUrl, name);
  await migrateDatabase(url);
  return url;
};
