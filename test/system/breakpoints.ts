import { type HeldLock, holdLock } from '@platform/shared/testing/hold-lock';
import { queryDatabase } from '@platform/shared/testing/query-database';

/** Where a statement of sign-in or refresh can be stopped, in the order in which it gets there. */
export type Stage =
  /** The first statement, which reads, waits for its tables. */
  | 'at the read'
  /** The user's or the token record's row is locked by somebody else. */
  | 'at the lock'
  /** The statement that writes has begun and has written nothing. */
  | 'before the write'
  /** It has written, but its transaction has not been asked to commit. */
  | 'after the write'
  /** The commit is under way: whoever asked for it will not learn how it ends. */
  | 'at the commit';

export type Breakpoints = {
  /** Stops what is done for the user at the stage, until `release`. */
  set: (userId: string, stage: Stage) => Promise<void>;
  /** Stops every sign-in and refresh of a customer at its read, which takes the profile along. */
  stopReads: () => Promise<void>;
  untilStopped: HeldLock['untilWaiting'];
  /** Lets everybody go on. */
  release: () => Promise<void>;
};

const GATE = 42_000_042;

/**
 * The triggers wait at the gate, an advisory lock, for those users alone whom the table names; the service whose statement
 * fires them has no right to read it.
 */
const CREATE = `
  create table breakpoints (user_id uuid not null, stage text not null);
  create function wait_at_breakpoint() returns trigger language plpgsql security definer as $$ begin
    if exists (select 1 from breakpoints where user_id = new.user_id and stage = tg_argv[0]) then
      perform pg_advisory_xact_lock_shared(${GATE});
    end if;
    return new;
  end $$;
  create trigger wait_before before insert or update on token_records
    for each row execute function wait_at_breakpoint('before the write');
  create trigger wait_after after insert or update on token_records
    for each row execute function wait_at_breakpoint('after the write');
  create constraint trigger wait_commit after insert or update on token_records deferrable initially deferred
    for each row execute function wait_at_breakpoint('at the commit')`;

/** Stops a service in the middle of a statement, from within a database that is thrown away afterwards. */
export const createBreakpoints = async (databaseUrl: string): Promise<Breakpoints> => {
  await queryDatabase(databaseUrl, CREATE);
  const gate = await holdLock(databaseUrl, 'select pg_advisory_xact_lock($1)', [GATE]);
  const locks = [gate];
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
    untilStopped: gate.untilWaiting,
    release: async () => {
      for (const lock of locks.splice(0)) await lock.release();
    },
  };
};
