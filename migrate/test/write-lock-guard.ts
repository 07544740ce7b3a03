import { queryDatabase } from '@platform/shared/testing/query-database';

// Lock modes that conflict with INSERT, UPDATE and DELETE.
const BLOCKING = "('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')";

// The statistics of the current transaction show what a command has read, including the validation of a
// constraint, the build of an index and the rewrite of a table. So the guard does not need a list of blocking
// commands.
const INSTALL = `
  create schema lock_guard;
  create table lock_guard.tables (id oid primary key);

  create function lock_guard.before_command() returns event_trigger language plpgsql as $$
    begin
      perform set_config('lock_guard.scans', coalesce(
        (select jsonb_object_agg(id, pg_stat_get_xact_numscans(id))::text from lock_guard.tables), '{}'), false);
    end
  $$;

  create function lock_guard.after_command() returns event_trigger language plpgsql as $$
    declare
      scans jsonb := current_setting('lock_guard.scans');
      guarded oid;
    begin
      for guarded in
        select distinct id from lock_guard.tables join pg_locks on relation = id
        where pid = pg_backend_pid() and granted and mode in ${BLOCKING}
      loop
        if pg_stat_get_xact_numscans(guarded) > (scans ->> guarded::text)::bigint then
          raise exception '% reads all rows of % under a lock that blocks writes', tg_tag, guarded::regclass
            using hint = 'CONTRIBUTING.md, "Change the schema", has the alternatives.';
        end if;
        if current_setting('lock_timeout') = '0' then
          raise exception '% locks % without a lock_timeout', tg_tag, guarded::regclass
            using hint = 'While it waits for the lock, writes queue behind it: use runWithShortLock.';
        end if;
      end loop;
    end
  $$;

  create event trigger before_command on ddl_command_start execute function lock_guard.before_command();
  create event trigger after_command on ddl_command_end execute function lock_guard.after_command();`;

/**
 * Makes DDL that blocks writes to the guarded tables fail in this database. The URL must be that of a
 * superuser.
 */
export const installLockGuard = async (url: string): Promise<void> => {
  await queryDatabase(url, INSTALL);
};

/** Guards the existing tables. */
export const guardExistingTables = async (url: string, except: readonly string[] = []): Promise<void> => {
  await queryDatabase(
    url,
    `with removed as (delete from lock_guard.tables)
     insert into lock_guard.tables select oid from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> all($1) and relname !~ '^knex_'
     on conflict do nothing`,
    [except],
  );
};
