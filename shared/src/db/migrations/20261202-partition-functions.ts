import type { Knex } from 'knex';

// Bounds are read in ISO format and UTC, whatever the settings of the session. Null is unbounded.
const PARTITIONS_OF = `
  create function partitions_of(parent regclass)
    returns table (partition regclass, starts timestamptz, ends timestamptz)
    language sql stable set timezone = 'UTC' set datestyle = 'ISO' as $$
      select c.oid::regclass,
        (regexp_match(bounds, 'FROM \\(''([^'']+)''\\)'))[1]::timestamptz,
        (regexp_match(bounds, 'TO \\(''([^'']+)''\\)'))[1]::timestamptz
      from pg_inherits i
      join pg_class c on c.oid = i.inhrelid
      cross join pg_get_expr(c.relpartbound, c.oid) bounds
      where i.inhparent = parent
    $$;`;

/** The size of a partition that is read in some 20 ms. */
const MAX_SCANNED_BYTES = `
  create function max_scanned_bytes() returns bigint language sql immutable as $$ select 33554432::bigint $$;`;

/** Attaching reads all rows of the partition under the lock, unless it is empty or has a valid check of the bound. */
const CLOSE_NEWEST_PARTITION = `
  create function close_newest_partition(parent regclass, bound timestamptz) returns text
    language plpgsql set timezone = 'UTC' set datestyle = 'ISO' as $$
      declare
        newest record;
        next_name text := parent::text || to_char(bound, '_YYYYMMDD');
      begin
        execute format('lock table %s in access exclusive mode', parent);
        select * into strict newest from partitions_of(parent) where ends is null;
        execute format('alter table %s detach partition %s', parent, newest.partition);
        execute format('alter table %s attach partition %s for values from (%s) to (%L)',
          parent, newest.partition, coalesce(quote_literal(newest.starts), 'minvalue'), bound);
        execute format('create table %I partition of %s for values from (%L) to (maxvalue)', next_name, parent, bound);
        execute format('alter table %s drop constraint if exists ends_before', newest.partition);
        return next_name;
      end
    $$;`;

/** Starts the next partition ahead of time; null when there are enough. A large one needs the check that `npm run migrate` adds. */
const ADD_NEXT_PARTITION = `
  create function add_next_partition(parent_name text) returns text
    language plpgsql security definer
    set search_path = public, pg_temp set timezone = 'UTC' set datestyle = 'ISO' set lock_timeout = '300ms' as $$
      declare
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
        if pg_relation_size(newest.partition) > max_scanned_bytes() then
          raise exception 'Partition % has grown too large to be closed by the cleanup: run the migrations', newest.partition;
        end if;
        return close_newest_partition(parent_name::regclass,
          greatest(newest.starts, date_trunc(unit, now()) + step) + step);
      end
    $$;`;

/** Rows are counted before the exclusive lock on the parent; no other process changes rows of that age. */
export const DROP_EXPIRED_AUDIT_PARTITION = `
  create function drop_expired_audit_partition(retention_days int) returns text
    language plpgsql security definer
    set search_path = public, pg_temp set timezone = 'UTC' set datestyle = 'ISO' set lock_timeout = '300ms' as $$
      declare
        expired text;
        counts jsonb;
      begin
        if retention_days < 1 then
          raise exception 'A retention of % days keeps all records', retention_days;
        end if;
        lock table audit_records in share update exclusive mode;
        select partition into expired from partitions_of('audit_records')
          where ends <= now() - make_interval(days => retention_days) order by ends limit 1;
        if expired is null then
          return null;
        end if;
        execute format('lock table %s in share mode', expired);
        execute format('select coalesce(jsonb_object_agg(action, total), ''{}'')
          from (select action, count(*) as total from %s group by 1) counted', expired) into counts;
        lock table audit_records in access exclusive mode;
        insert into audit_totals (action, total)
          select key, -value::int from jsonb_each_text(counts) order by 1
          on conflict (action, slot) do update set total = audit_totals.total + excluded.total;
        execute format('drop table %s', expired);
        return expired;
      end
    $$;`;

/** The hour is for transactions that started before the end of the partition. */
const DROP_EXPIRED_TOKEN_PARTITION = `
  create function drop_expired_token_partition() returns text
    language plpgsql security definer
    set search_path = public, pg_temp set timezone = 'UTC' set datestyle = 'ISO' set lock_timeout = '300ms' as $$
      declare
        ended text;
        has_unexpired bool;
      begin
        lock table superseded_refresh_tokens in share update exclusive mode;
        for ended in
          select partition from partitions_of('superseded_refresh_tokens')
          where ends < now() - interval '1 hour' order by ends
        loop
          execute format('select exists (select from %s where expired_at >= now())', ended) into has_unexpired;
          if not has_unexpired then
            lock table superseded_refresh_tokens in access exclusive mode;
            execute format('drop table %s', ended);
            return ended;
          end if;
        end loop;
        return null;
      end
    $$;`;

/** What the nightly cleanup calls with the rights of the owner: the worker owns no table. */
const FOR_WORKER = [
  'add_next_partition(text)',
  'drop_expired_audit_partition(int)',
  'drop_expired_token_partition()',
].join(', ');

export const up = (db: Knex): Promise<void> =>
  db.schema.raw(
    [
      PARTITIONS_OF,
      MAX_SCANNED_BYTES,
      CLOSE_NEWEST_PARTITION,
      ADD_NEXT_PARTITION,
      DROP_EXPIRED_AUDIT_PARTITION,
      DROP_EXPIRED_TOKEN_PARTITION,
      `revoke execute on function ${FOR_WORKER} from public;`,
    ].join('\n'),
  );

export const down = (db: Knex): Promise<void> =>
  db.schema.raw(
    `drop function ${FOR_WORKER}, close_newest_partition(regclass, timestamptz), partitions_of(regclass), max_scanned_bytes();`,
  );
