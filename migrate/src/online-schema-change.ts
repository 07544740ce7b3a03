import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';

/**
 * While a statement waits for a lock, later statements on the table queue behind it. This limits how long.
 */
const LOCK_TIMEOUT_MILLISECONDS = 300;
/** The queue of waiting statements drains between two attempts. */
const PAUSE_MILLISECONDS = 1_000;
const MAX_ATTEMPTS = 600;

/** lock_not_available and deadlock_detected: the transaction has changed nothing. */
const isLockFailure = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['55P03', '40P01'].includes(String(error.code));

/**
 * Repeats `work` while another transaction holds a conflicting lock. Each attempt changes everything or
 * nothing.
 */
const retryWhileLocked = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isLockFailure(error)) throw error;
      if (attempt === MAX_ATTEMPTS)
        throw new Error(
          'A long transaction blocks the migration; end it (pg_stat_activity, the oldest xact_start) and migrate again',
          { cause: error },
        );
      await delay(PAUSE_MILLISECONDS);
    }
  }
};

/** Runs short DDL in one transaction. Use it in migrations with `config = { transaction: false }`. */
export const runWithShortLock = (db: Knex, sql: string): Promise<void> =>
  retryWhileLocked(() =>
    db.transaction(async (transaction) => {
      await transaction.raw(`set local lock_timeout = ${LOCK_TIMEOUT_MILLISECONDS}`);
      await transaction.raw(sql);
    }),
  );

/** Other statements on the table go first between two batches. */
const BATCH_PAUSE_MILLISECONDS = 100;

/**
 * Repeats a statement that changes at most some thousand rows, such as `update … where id in (select … limit
 * 2000)`, until it changes none. Each batch is a transaction; one that meets a lock or a deadlock is rolled
 * back and repeated, so requests never wait for it.
 */
export const runInBatches = async (db: Knex, sql: string): Promise<void> => {
  for (;;) {
    const changed = await retryWhileLocked(() =>
      db.transaction(async (transaction): Promise<number> => {
        await transaction.raw(`set local lock_timeout = ${LOCK_TIMEOUT_MILLISECONDS}`);
        return (await transaction.raw(sql)).rowCount;
      }),
    );
    if (changed === 0) return;
    await delay(BATCH_PAUSE_MILLISECONDS);
  }
};

/**
 * Builds an index without blocking writes. An interrupted build leaves an invalid index, which is built
 * again.
 */
export const createIndexConcurrently = async (db: Knex, name: string, definition: string): Promise<void> => {
  const { rows } = await db.raw('select 1 from pg_index where indisvalid and indexrelid = to_regclass(?)', [
    name,
  ]);
  if (rows.length > 0) return;
  await db.raw(`drop index concurrently if exists ${name}`);
  await db.raw(`create index concurrently ${name} on ${definition}`);
};
