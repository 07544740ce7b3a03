import { setTimeout as delay } from 'node:timers/promises';
import knexPackage, { type Knex } from 'knex';
import type pg from 'pg';
import { storeAuditDayTotals } from './audit-day-totals.ts';
import { connectClient } from './connect.ts';
import {
  allowsLargeObjects,
  createGroupRoles,
  createLogins,
  grantRights,
  type ProcessUrls,
  type RightsResult,
  readLogins,
  rejectOwners,
} from './database-logins.ts';
import * as accounts from './migrations/20261120-accounts.ts';
import * as mailOutbox from './migrations/20261121-mail-outbox.ts';
import * as backOffice from './migrations/20261122-back-office.ts';
import * as auditLog from './migrations/20261123-audit-log.ts';
import * as mailTrace from './migrations/20261124-mail-trace.ts';
import * as listTotals from './migrations/20261125-list-totals.ts';
import * as openSession from './migrations/20261126-open-session.ts';
import * as retention from './migrations/20261127-retention.ts';
import * as passwordCost from './migrations/20261128-password-cost.ts';
import * as sessionNetworks from './migrations/20261128-session-networks.ts';
import * as databaseRights from './migrations/20261130-database-rights.ts';
import * as rowIds from './migrations/20261201-row-ids.ts';
import * as partitionFunctions from './migrations/20261202-partition-functions.ts';
import * as partitions from './migrations/20261203-partitions.ts';
import * as secondFactor from './migrations/20261204-second-factor.ts';
import * as roleLists from './migrations/20261205-role-lists.ts';
import * as recountTotals from './migrations/20261206-recount-totals.ts';
import * as searchCosts from './migrations/20261207-search-costs.ts';
import * as auditDayTotals from './migrations/20261208-audit-day-totals.ts';
import * as verifiedOwnership from './migrations/20261209-verified-ownership.ts';
import { retryWhileLocked } from './online-schema-change.ts';
import { createPartitionsAhead } from './partitions.ts';

const { knex } = knexPackage;

type Migration = Knex.Migration & {
  /** Existing tables whose writes the migration may block for long, each with the reason; a test checks all others. */
  blocksWritesOf?: Readonly<Record<string, string>>;
};

/** Oldest first. Names are stored in the database: never rename or reorder a released migration. */
export const MIGRATIONS: readonly { name: string; migration: Migration }[] = [
  { name: '20261120-accounts', migration: accounts },
  { name: '20261121-mail-outbox', migration: mailOutbox },
  { name: '20261122-back-office', migration: backOffice },
  { name: '20261123-audit-log', migration: auditLog },
  { name: '20261124-mail-trace', migration: mailTrace },
  { name: '20261125-list-totals', migration: listTotals },
  { name: '20261126-open-session', migration: openSession },
  { name: '20261127-retention', migration: retention },
  { name: '20261128-password-cost', migration: passwordCost },
  { name: '20261128-session-networks', migration: sessionNetworks },
  { name: '20261130-database-rights', migration: databaseRights },
  { name: '20261201-row-ids', migration: rowIds },
  { name: '20261202-partition-functions', migration: partitionFunctions },
  { name: '20261203-partitions', migration: partitions },
  { name: '20261204-second-factor', migration: secondFactor },
  { name: '20261205-role-lists', migration: roleLists },
  { name: '20261206-recount-totals', migration: recountTotals },
  { name: '20261207-search-costs', migration: searchCosts },
  { name: '20261208-audit-day-totals', migration: auditDayTotals },
  { name: '20261209-verified-ownership', migration: verifiedOwnership },
];

/** Knex only logs which migration has failed. */
const withNamedErrors = ({ name, migration }: (typeof MIGRATIONS)[number]): Migration => ({
  ...migration,
  up: async (db) => {
    try {
      await migration.up(db);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(`Migration ${name} failed: ${message}`, { cause: error });
    }
  },
});

const migrationSource: Knex.MigrationSource<(typeof MIGRATIONS)[number]> = {
  getMigrations: async () => [...MIGRATIONS],
  getMigrationName: ({ name }) => name,
  getMigration: async (migration) => withNamedErrors(migration),
};

/** The key of the advisory lock: an arbitrary constant, unique in the database. */
const MIGRATION_LOCK_KEY = 7_310_542;

// Timeouts of the role or the database are meant for requests: waiting for another migration, or building an index, may take
// minutes.
const WITHOUT_TIMEOUTS = 'set statement_timeout = 0; set lock_timeout = 0';

const connectWithoutTimeouts = async (databaseUrl: string): Promise<pg.Client> => {
  const client = await connectClient(databaseUrl);
  await client.query(WITHOUT_TIMEOUTS);
  return client;
};

const LOCK_POLL_MILLISECONDS = 200;

/**
 * Polls, because a waiting statement would have a snapshot: `create index concurrently` of the process that holds the lock
 * waits for older snapshots, and both would wait forever.
 */
const acquireMigrationLock = async (client: pg.Client): Promise<void> => {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as acquired', [MIGRATION_LOCK_KEY]);
    if (rows[0].acquired) return;
    await delay(LOCK_POLL_MILLISECONDS);
  }
};

const POOL_SIZE = 1;

/** The connections of a migration: its pool, and the one that holds the lock. */
export const MIGRATION_CONNECTIONS = POOL_SIZE + 1;

/**
 * Knex's lock table fails when several processes migrate an empty database at once (measured: 20 of 30), so a
 * session-level advisory lock on a separate connection serializes them; Postgres releases it when the process dies.
 */
const withMigrationLock = async <Result>(
  databaseUrl: string,
  work: (db: Knex, client: pg.Client) => Promise<Result>,
): Promise<Result> => {
  const lock = await connectWithoutTimeouts(databaseUrl);
  const db = knex({
    client: 'pg',
    connection: {},
    pool: { min: 0, max: POOL_SIZE },
    log: { warn: () => undefined }, // every warning is about an error that is thrown
  });
  db.client.acquireRawConnection = () => connectWithoutTimeouts(databaseUrl);
  try {
    await acquireMigrationLock(lock);
    return await work(db, lock);
  } finally {
    await db.destroy();
    await lock.end();
  }
};

type MigrationResult = RightsResult & {
  /** The migrations that ran. */
  names: string[];
};

/**
 * Runs pending migrations, then grants the privileges and creates the logins of `processUrls`. Safe to run concurrently.
 * @throws ConfigError before the first migration when a process URL is invalid or has the rights of the owner
 */
export const migrateDatabase = async (
  databaseUrl: string,
  processUrls: ProcessUrls = {},
): Promise<MigrationResult> => {
  const logins = readLogins(processUrls);
  return withMigrationLock(databaseUrl, async (db, client) => {
    await rejectOwners(client, logins);
    // A migration process that was killed leaves Knex's own lock; the advisory lock proves that no other one runs.
    await db.migrate.forceFreeMigrationsLock();
    const [, names] = (await db.migrate.latest({ migrationSource })) as [number, string[]];
    await createPartitionsAhead(db);
    await storeAuditDayTotals((text) => retryWhileLocked(async () => (await db.raw(text)).rows));
    await createGroupRoles(client);
    const missingRoles = await grantRights(client);
    missingRoles.push(...(await createLogins(client, logins)));
    return { names, missingRoles, allowsLargeObjects: await allowsLargeObjects(client) };
  });
};

/** Rolls back every migration; for tests and development databases. */
export const rollbackDatabase = (databaseUrl: string): Promise<string[]> =>
  withMigrationLock(databaseUrl, async (db) => {
    const [, names] = (await db.migrate.rollback({ migrationSource }, true)) as [number, string[]];
    return names;
  });
