import { readdir } from 'node:fs/promises';
import { parse } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '@platform/shared/config/env';
import { ADVISORY_LOCKS } from '@platform/shared/db/advisory-locks';
import { connectClient } from '@platform/shared/db/connect';
import knexPackage, { type Knex } from 'knex';
import type pg from 'pg';
import { createLogins, type ProcessUrls, readLogins, rejectOwners } from './logins.ts';
import { findNewerRelease, recordRelease } from './releases.ts';
import { applyFunctionsAndRights, createGroupRoles, describeMissingRights } from './rights.ts';

// A named import of this CommonJS package compiles but fails at run time.
const { knex } = knexPackage;

const FOLDER = new URL('../migrations/', import.meta.url);
const listFiles = async (): Promise<string[]> => (await readdir(FOLDER)).sort();
const toName = (file: string): string => parse(file).name;

const load = async (file: string): Promise<Knex.Migration> => {
  const migration: Knex.Migration = await import(new URL(file, FOLDER).href);
  return {
    ...migration,
    // Knex only logs which migration failed, so add its name to the error.
    up: async (db) => {
      try {
        await migration.up(db);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        throw new Error(`Migration ${toName(file)} failed: ${message}`, { cause: error });
      }
    },
    // Knex requires this function.
    down: () => Promise.reject(new Error('Migrations are not reverted: docs/releasing.md, "Roll back"')),
  };
};

const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: listFiles,
  getMigrationName: toName,
  getMigration: load,
};

const LOCK_POLL_MILLISECONDS = 200;

/**
 * Polls, because a waiting statement would have a snapshot: `create index concurrently` in the process that
 * holds the lock waits for older snapshots, so both would wait forever.
 */
const acquireMigrationLock = async (client: pg.Client): Promise<void> => {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as acquired', [
      ADVISORY_LOCKS.migrations,
    ]);
    if (rows[0].acquired) return;
    await delay(LOCK_POLL_MILLISECONDS);
  }
};

export const MIGRATION_CONNECTIONS = 1;

/**
 * Knex's lock table fails if several processes migrate an empty database at the same time (measured: 20 of
 * 30). So a session-level advisory lock serializes them; Postgres releases it if the process dies. Knex uses
 * the connection that holds it.
 */
const withMigrationLock = async <Result>(
  databaseUrl: string,
  work: (db: Knex, client: pg.Client) => Promise<Result>,
): Promise<Result> => {
  const client = await connectClient(databaseUrl);
  const db = knex({
    client: 'pg',
    connection: {},
    pool: { min: MIGRATION_CONNECTIONS, max: MIGRATION_CONNECTIONS },
    compileSqlOnError: false,
    log: { warn: () => undefined }, // each warning is about an error that is thrown anyway
  });
  db.client.acquireRawConnection = async () => client;
  try {
    // Timeouts of the role or the database are meant for requests. Waiting for another migration, or building
    // an index, may take minutes.
    await client.query('set statement_timeout = 0; set lock_timeout = 0');
    await acquireMigrationLock(client);
    return await work(db, client);
  } finally {
    await db.destroy();
    await client.end();
  }
};

/** The first migration of databases that development checkouts before the first release have made. */
const BASELINE_BEFORE_RELEASES = '0001-baseline';

const findUnknownMigrations = async (db: Knex): Promise<string[]> => {
  const known = (await listFiles()).map(toName);
  const [completed] = await db.migrate.list({ migrationSource, disableMigrationsListValidation: true });
  const names: string[] = completed.map(({ name }: { name: string }) => name);
  return names.filter((name) => !known.includes(name));
};

/** @throws ConfigError if the database has migrations that this release does not know */
const rejectUnknownMigrations = async (db: Knex): Promise<void> => {
  const unknown = await findUnknownMigrations(db);
  if (unknown.includes(BASELINE_BEFORE_RELEASES))
    throw new ConfigError(
      'This database is older than release 1.0.0 and cannot be migrated: delete it (npm run reset) or use an empty one',
    );
  if (unknown.length > 0)
    throw new ConfigError(
      `This release does not know ${unknown.join(', ')}, which a newer one has run: nothing was changed`,
    );
};

const runPendingMigrations = async (db: Knex): Promise<string[]> => {
  const [, names] = (await db.migrate.latest({ migrationSource })) as [number, string[]];
  return names;
};

type MigrationResult = {
  /** The newer release that has migrated the database, which this one leaves unchanged. */
  newerRelease?: string;
  /** The names of the migrations that ran. */
  names: string[];
  /** Notes for the operator about everything that was not done. */
  notes: string[];
};

/**
 * Runs pending migrations, then replaces the functions, grants the rights and creates the logins of
 * `processUrls`. It may run concurrently. It leaves the schema of a newer release of the same major version
 * unchanged, because the processes of this one run on it.
 * @throws ConfigError before the first change, if a process URL is invalid or has the rights of the owner, or
 * if the database is of another major version or has migrations that this release does not know
 */
export const migrateDatabase = async (
  databaseUrl: string,
  processUrls: ProcessUrls = {},
): Promise<MigrationResult> => {
  const logins = readLogins(processUrls);
  return withMigrationLock(databaseUrl, async (db, client) => {
    await rejectOwners(client, logins);
    const newerRelease = await findNewerRelease(client);
    if (newerRelease !== undefined) return { newerRelease, names: [], notes: [] };
    await rejectUnknownMigrations(db);
    // A migration process that was killed leaves Knex's lock behind. The advisory lock proves that no other
    // process is running.
    await db.migrate.forceFreeMigrationsLock();
    // Before the migrations, so that the previous release recognises a schema that has some of them.
    await recordRelease(client);
    const names = await runPendingMigrations(db);
    await recordRelease(client);
    const groupRoles = await createGroupRoles(client);
    await applyFunctionsAndRights(db, groupRoles);
    const missingLogins = await createLogins(client, logins);
    return {
      names,
      notes: await describeMissingRights(client, groupRoles, missingLogins),
    };
  });
};
