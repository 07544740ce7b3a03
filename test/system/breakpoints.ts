import { type HeldLock, holdLock } from '@platform/shared/testing/hold-lock';
import { queryDatabase } from '@platform/shared/testing/query-database';

/** Where a statement of sign-in or refresh can be stopped, in execution order. */
export type Stage =
  /** The first statement, which reads, waits for a table lock. */
  | 'at the read'
  /** The row of the user or the token record is locked by another transaction. */
  | 'at the lock'
  /** The writing statement has started, and has written nothing. */
  | 'before the write'
  /** The statement has written, the commit has not started. */
  | 'after the write'
  /** The commit has started; the client will not get its result. */
  | 'at the commit';

export type Breakpoints = {
  /** Stops the statements of the user at the stage, until `release`. */
  set: (userId: string, stage: Stage) => Promise<void>;
  /** Stops every sign-in and refresh of a customer at its read, which joins the profile. */
  stopReads: () => Promise<void>;
  waitUntilStopped: HeldLock['untilWaiting'];
  /** Continues all stopped statements. */
  release: () => Promise<void>;
};

const LOCK_KEY = 42_000_042;

/**
 * The triggers wait for an advisory lock, only for the users in the table. Security definer: the service whose statement fires
 * them may not read the table.
 */
const CREATE = `
  create table breakpoints (user_id uuid not null, stage text not null);
  create function wait_at_breakpoint() returns trigger language plpgsql security definer as $$ begin
    if exists (select 1 from breakpoints where user_id = new.user_id and stage = tg_argv[0]) then
      perform pg_advisory_xact_lock_shared(${LOCK_KEY});
    end if;
    return new;
  end $$;
  create trigger wait_before before insert or update on token_records
    for each row execute function wait_at_breakpoint('before the write');
  create trigger wait_after after insert or update on token_records
    for each row execute function wait_at_breakpoint('after the write');
  create constraint trigger wait_commit after insert or update on token_records deferrable initially deferred
    for each row execute function wait_at_breakpoint('at the commit')`;

/** Stops a service during a statement, by triggers in a database that is dropped afterwards. */
export const createBreakpoints = async (databaseUrl: string): Promise<Breakpoints> => {
  await queryDatabase(databaseUrl, CREATE);
  const lock = await holdLock(databaseUrl, 'select pg_advisory_xact_lock($1)', [LOCK_KEY]);
  const locks = [lock];
  return {
    set: async (userId, stage) => {
      if (stage === 'at the lock') {
        const text =
          'select 1 from users left join token_records t on t.user_id = users.id where users.id = $1';
        locks.push(await holdLock(databaseUrl, `${text} for update of users`, [userId]));
        locks.push(
          await holdLock(databaseUrl, 'select 1 from token_records where user_id = $1 for update', [userId]),
        );
      } else await queryDatabase(databaseUrl, 'insert into breakpoints values ($1, $2)', [userId, stage]);
    },
    stopReads: async () => {
      locks.push(await holdLock(databaseUrl, 'lock table customer_profiles in access exclusive mode'));
    },
    waitUntilStopped: lock.untilWaiting,
    release: async () => {
      for (const held of locks.splice(0)) await held.release();
    },
  };
};
