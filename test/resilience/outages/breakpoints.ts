import { holdLock } from '@platform/shared/testing/hold-lock';
import { queryDatabase } from '@platform/shared/testing/query-database';

/**
 * Where a statement that writes a row of the user stops: before it, after it, or when its transaction
 * commits.
 */
export type TableStage = `${string} ${'before' | 'after' | 'commit'}`;

const LOCK_KEY = 42_000_042;

/** The tables that a change of an account writes, and their columns with the id of the user. */
const USER_COLUMNS: Record<string, string> = {
  users: 'id',
  totp_factors: 'user_id',
  recovery_codes: 'user_id',
  passkeys: 'user_id',
  token_records: 'user_id',
  sessions: 'user_id',
  audit_records: 'target_id',
};

/**
 * The triggers wait for an advisory lock if the table contains the user. They are `security definer`, because
 * the service whose statement fires them may not read the table. They reset the service's lock_timeout of two
 * seconds, because on a busy machine other statements need longer to reach their breakpoint.
 */
const CREATE_FUNCTION = `
  create table breakpoints (user_id text not null, stage text not null);
  create function wait_at_breakpoint() returns trigger language plpgsql security definer as $$
    declare
      written jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
    begin
      if exists (select 1 from breakpoints where user_id = written ->> tg_argv[1] and stage = tg_argv[0]) then
        perform set_config('lock_timeout', '0', true);
        perform pg_advisory_xact_lock_shared(${LOCK_KEY});
      end if;
      if tg_op = 'DELETE' then return old; end if;
      return new;
    end $$;`;

const createTriggers = ([table, column]: [string, string]): string => {
  const create = (when: string, type: string, deferral = '') => `
    create ${type} insert or update or delete on ${table} ${deferral} for each row
      execute function wait_at_breakpoint('${table} ${when}', '${column}');`;
  const deferred = 'deferrable initially deferred';
  return [
    create('before', 'trigger wait_before before'),
    create('after', 'trigger wait_after after'),
    // Partitioned tables have no deferred triggers.
    ...(table === 'audit_records'
      ? []
      : [create('commit', 'constraint trigger wait_commit after', deferred)]),
  ].join('');
};

/** Stops statements of some users, in a database that is dropped afterwards. */
export const createBreakpoints = async (databaseUrl: string) => {
  const triggers = Object.entries(USER_COLUMNS).map(createTriggers);
  await queryDatabase(databaseUrl, CREATE_FUNCTION + triggers.join(''));
  const lock = await holdLock(databaseUrl, 'select pg_advisory_xact_lock($1)', [LOCK_KEY]);
  return {
    /** Stops the user's transactions at this stage until `release`. */
    set: async (userId: string, stage: TableStage): Promise<void> => {
      await queryDatabase(databaseUrl, 'insert into breakpoints values ($1, $2)', [userId, stage]);
    },
    waitUntilStopped: lock.untilWaiting,
    /** Continues all stopped statements. */
    release: async (): Promise<void> => {
      await queryDatabase(databaseUrl, 'delete from breakpoints');
      await lock.release();
    },
  };
};

export type Breakpoints = Awaited<ReturnType<typeof createBreakpoints>>;
