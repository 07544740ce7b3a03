-- Starts the next partition ahead of time; null when there are enough. Called by the nightly cleanup and by `npm run migrate`.
-- With the rights of the owner, because the worker owns no table. Of a partition with more rows than can be read in some 20 ms
-- under a lock, only `npm run migrate` can validate the bound first.
create or replace function add_next_partition(parent_name text) returns text
  language plpgsql security definer
  set search_path = public, pg_temp set timezone = 'UTC' set datestyle = 'ISO' set lock_timeout = '300ms' as $$
  declare
    max_scanned_bytes constant bigint := 33554432;
    unit text := case parent_name when 'audit_records' then 'month' when 'superseded_refresh_tokens' then 'day' end;
    ahead interval := case unit when 'month' then '2 months' else '7 days' end;
    step interval := '1 ' || unit;
    newest record;
  begin
    if unit is null then
      raise exception '% is not partitioned by time', parent_name;
    end if;
    execute format('lock table %I in share update exclusive mode', parent_name);
    select * into strict newest from partitions_of(parent_name::regclass) where ends is null;
    if newest.starts > now() + ahead then
      return null;
    end if;
    if pg_relation_size(newest.partition) > max_scanned_bytes then
      raise program_limit_exceeded using message =
        format('Partition %s has grown too large to be closed by the cleanup: run the migrations', newest.partition);
    end if;
    return close_newest_partition(parent_name::regclass,
      greatest(newest.starts, date_trunc(unit, now()) + step) + step);
  end
$$;
