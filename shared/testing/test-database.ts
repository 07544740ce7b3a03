import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Engines, sharedEngines } from './engines.ts';
import { runScript } from './process.ts';
import { prepareBeforeTests } from './test-run.ts';

const connect = async (connectionString: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {
    connected = undefined;
  });
  await client.connect();
  return client;
};

/** One connection creates and drops the databases of this process. */
let connected: Promise<pg.Client> | undefined;

const withServerClient = async <Result>(
  work: (client: pg.Client, url: string) => Promise<Result>,
): Promise<Result> => {
  const { databaseUrl } = await sharedEngines();
  connected ??= connect(databaseUrl);
  return await work(await connected, databaseUrl);
};

const withName = (url: string, database: string): string => {
  const result = new URL(url);
  result.pathname = `/${database}`;
  return result.href;
};

const newName = (): string => `test_${randomUUID().replaceAll('-', '')}`;

const createEmpty = (): Promise<string> =>
  withServerClient(async (client, url) => {
    const name = newName();
    await client.query(`create database ${name}`);
    return withName(url, name);
  });

/** The URL with the login of a process, as in production. Tests insert their records as the owner. */
export const withLoginOf = async (
  process: keyof Engines['databaseUrls'],
  ownerUrl: string,
): Promise<string> => {
  const { databaseUrls } = await sharedEngines();
  const { username, password } = new URL(databaseUrls[process]);
  return Object.assign(new URL(ownerUrl), { username, password }).href;
};

/** Runs `npm run migrate`. @param urls the URLs of the processes whose logins it creates */
const migrateDatabase = async (url: string, urls: Engines['databaseUrls']): Promise<void> => {
  const logins = Object.entries(urls).map(([process, loginUrl]) => [
    `${process.toUpperCase()}_DATABASE_URL`,
    loginUrl,
  ]);
  const variables = { DATABASE_URL: url, ...Object.fromEntries(logins) };
  const { code, output } = await runScript('migrate/src/run-migrations.ts', [], variables);
  if (code !== 0) throw new Error(`The database cannot be migrated:\n${output}`);
};

let template: Promise<string> | undefined;
const migratedTemplate = (): Promise<string> => {
  template ??= createEmpty().then(async (url) => {
    const { databaseUrls } = await sharedEngines();
    await migrateDatabase(url, databaseUrls);
    return new URL(url).pathname.slice(1);
  });
  return template;
};

export type TestDatabase = { url: string; drop: () => Promise<void> };

const drop = (name: string): Promise<void> =>
  withServerClient(async (client) => {
    await client.query(`drop database if exists ${name} with (force)`);
  });

const toTestDatabase = (url: string): TestDatabase => ({
  url,
  drop: () => drop(new URL(url).pathname.slice(1)),
});

/** Creates a database without a schema. */
export const createEmptyDatabase = async (): Promise<TestDatabase> => toTestDatabase(await createEmpty());

/** Creates a migrated database as a clone of one template. */
export const createTestDatabase = async (): Promise<TestDatabase> => {
  const source = await migratedTemplate();
  return await withServerClient(async (client, url) => {
    const name = newName();
    // Without fsync, copying the files takes a third of the time of the default, which logs each page.
    await client.query(`create database ${name} template ${source} strategy file_copy`);
    return toTestDatabase(withName(url, name));
  });
};

/**
 * A stack that was already running must keep no data of the run. Engines of the run are deleted with their
 * data.
 */
const dropTemplate = async (): Promise<void> => {
  if (process.env['TEST_STACK_DIR'] === undefined) return;
  const name = await template?.catch(() => undefined);
  template = undefined;
  if (name !== undefined) await drop(name);
};

prepareBeforeTests({ start: migratedTemplate, stop: dropTemplate });
