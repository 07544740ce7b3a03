import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { migrateDatabase } from '../src/db/migrate.ts';
import { sharedStack } from './stack.ts';

const onServer = async <Result>(
  work: (client: pg.Client, url: string) => Promise<Result>,
): Promise<Result> => {
  const databaseUrl = process.env['H3_DATABASE_URL'] ?? (await sharedStack()).stack.databaseUrl;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client, databaseUrl);
  } finally {
    await client.end();
  }
};

const withName = (url: string, database: string): string => {
  const result = new URL(url);
  result.pathname = `/${database}`;
  return result.href;
};

const newName = (): string => `test_${randomUUID().replaceAll('-', '')}`;

const createEmpty = (): Promise<string> =>
  onServer(async (client, url) => {
    const name = newName();
    await client.query(`create database ${name}`);
    return withName(url, name);
  });

let template: Promise<string> | undefined;
const migratedTemplate = (): Promise<string> => {
  template ??= createEmpty().then(async (url) => {
    await migrateDatabase(url);
    return new URL(url).pathname.slice(1);
  });
  return template;
};

export type TestDatabase = { url: string; drop: () => Promise<void> };

const dropLater = (url: string): TestDatabase => ({
  url,
  drop: () =>
    onServer(async (client) => {
      await client.query(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`);
    }),
});

/** A database without a schema. */
export const createEmptyDatabase = async (): Promise<TestDatabase> => dropLater(await createEmpty());

/** A migrated database of a test file's own, cloned from one template. */
export const createTestDatabase = async (): Promise<TestDatabase> => {
  const source = await migratedTemplate();
  return await onServer(async (client, url) => {
    const name = newName();
    await client.query(`create database ${name} template ${source}`);
    return dropLater(withName(url, name));
  });
};
