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

/** Without the service's lock_timeout of two seconds: on a busy machine, others need longer to reach their breakpoint. */
const WAIT = `
      perform set_config('lock_timeout', '0', true);
      perform pg_advisory_xact_lock_shared(${LOCK_KEY});`;

/**
 * The triggers wait for an advisory lock, only for the users in the table. Security definer: the service whose statement fires
 * them may not read the table.
 */
const CREATE = `
  create table breakpoints (user_id uuid not null, stage text not null);
  create function wait_at_breakpoint() returns trigger language plpgsql security definer as $$ begin
    if exists (select 1 from breakpoints where user_id = new.user_id and stage = tg_argv[0]) then${WAIT}
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

/** Where a statement that writes a row of the user stops: in `before` and `after`, or when its transaction commits. */
export type TableStage = `${string} ${'before' | 'after' | 'commit'}`;

/** The tables that a change of an account writes, and their column with the user's id. */
const USER_COLUMNS: Record<string, string> = {
  ...{ users: 'id', totp_factors: 'user_id', recovery_codes: 'user_id', passkeys: 'user_id' },
  ...{ token_records: 'user_id', sessions: 'user_id', audit_records: 'target_id' },
};

const CREATE_FUNCTION = `
  create table table_breakpoints (user_id text not null, stage text not null);
  create function wait_at_table_breakpoint() returns trigger language plpgsql security definer as $$
    declare
      written jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
    begin
      if exists (select 1 from table_breakpoints where user_id = written ->> tg_argv[1] and stage = tg_argv[0]) then${WAIT}
      end if;
      if tg_op = 'DELETE' then return old; end if;
      return new;
    end $$;`;

const createTriggers = ([table, column]: [string, string]): string => {
  const create = (when: string, type: string, deferral = '') => `
    create ${type} on ${table} ${deferral} for each row
      execute function wait_at_table_breakpoint('${table} ${when}', '${column}');`;
  const writes = 'insert or update or delete';
  // A partitioned table has no deferred triggers.
  const commit =
    table === 'audit_records'
      ? ''
      : create(
          'commit',
          `constraint trigger table_wait_commit after ${writes}`,
          'deferrable initially deferred',
        );
  return (
    create('before', `trigger table_wait_before before ${writes}`) +
    create('after', `trigger table_wait_after after ${writes}`) +
    commit
  );
};

/** Stops the transactions that change an account, by triggers in a database that is dropped afterwards. */
export const createTableBreakpoints = async (databaseUrl: string) => {
  const triggers = Object.entries(USER_COLUMNS).map(createTriggers);
  await queryDatabase(databaseUrl, CREATE_FUNCTION + triggers.join(''));
  const lock = await holdLock(databaseUrl, 'select pg_advisory_xact_lock($1)', [LOCK_KEY]);
  return {
    /** Stops the transactions of the user at the stage, until `release`. */
    set: async (userId: string, stage: TableStage): Promise<void> => {
      await queryDatabase(databaseUrl, 'insert into table_breakpoints values ($1, $2)', [userId, stage]);
    },
    waitUntilStopped: lock.untilWaiting,
    release: async (): Promise<void> => {
      await queryDatabase(databaseUrl, 'delete from table_breakpoints');
      await lock.release();
    },
  };
};

export type TableBreakpoints = Awaited<ReturnType<typeof createTableBreakpoints>>;
