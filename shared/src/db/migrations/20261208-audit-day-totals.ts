import type { Knex } from 'knex';
import { runWithShortLock } from '../online-schema-change.ts';
import { DROP_EXPIRED_AUDIT_PARTITION } from './20261202-partition-functions.ts';

/** The triggers lock audit_records. Each statement is repeatable. */
export const config = { transaction: false };

/**
 * How many audit records each past day (in UTC) has: of each actor, target and action with at least 100 of them, and of their
 * combinations. Records of the past do not change, so a day is counted once; lists count only the other records.
 */
const TABLES = `
  create table if not exists audit_days (day timestamptz primary key);
  create table if not exists audit_day_totals (
    day timestamptz not null references audit_days on delete cascade,
    -- Null is any actor, target or action.
    actor_id uuid,
    target_id text,
    action text,
    total int not null
  );
  create unique index if not exists audit_day_totals_key on audit_day_totals (actor_id, target_id, action, day) nulls not distinct;
  create index if not exists audit_day_totals_day on audit_day_totals (day);`;

/** Of a combination without a total, a day has no records if each of its values has a total, and fewer than 100 otherwise. */
const COUNT_AUDIT_DAY = `
  create or replace function count_audit_day(day timestamptz)
    returns table (actor_id uuid, target_id text, action text, total int)
    language sql stable as $$
      with records as materialized (
        select actor_id, target_id, action from audit_records where created_at >= day and created_at < day + interval '24 hours'
      ), frequent as materialized (
        select actor_id, target_id, action from records
        group by grouping sets ((actor_id), (target_id), (action)) having count(*) >= 100
      )
      select actor.actor_id, target.target_id, performed.action, count(*)
      from records
        left join frequent actor on actor.actor_id = records.actor_id
        left join frequent target on target.target_id = records.target_id
        left join frequent performed on performed.action = records.action
      group by cube (actor.actor_id, target.target_id, performed.action)
      having (grouping(actor.actor_id) = 1 or actor.actor_id is not null)
        and (grouping(target.target_id) = 1 or target.target_id is not null)
        and (grouping(performed.action) = 1 or performed.action is not null)
    $$;`;

const STORE_AUDIT_DAY_TOTALS = `
  create or replace function store_audit_day_totals(counted_day timestamptz) returns void language sql as $$
    insert into audit_days (day) values (counted_day);
    insert into audit_day_totals (day, actor_id, target_id, action, total)
      select counted_day, actor_id, target_id, action, total from count_audit_day(counted_day);
  $$;`;

/**
 * Counts the oldest day without totals; null if there is none. The hour is for transactions that started before the end of the
 * day. The lock waits for changes of old records that are not committed, and lets those that follow discard the day.
 */
const STORE_NEXT_AUDIT_DAY_TOTALS = `
  create or replace function store_next_audit_day_totals() returns timestamptz
    language plpgsql security definer
    set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '300ms' as $$
      declare
        next_day timestamptz;
      begin
        lock table audit_days in share row exclusive mode;
        select past.day into next_day
          from generate_series(
            (select date_trunc('day', min(created_at)) from audit_records where isfinite(created_at)),
            date_trunc('day', now() - interval '1 hour') - interval '24 hours',
            interval '24 hours'
          ) past (day)
          where not exists (select from audit_days where audit_days.day = past.day)
          order by 1 limit 1;
        if next_day is not null then
          perform store_audit_day_totals(next_day);
        end if;
        return next_day;
      end
    $$;`;

/** A day whose records change is counted again by the next cleanup. */
const DISCARD_AUDIT_DAY = `
  create or replace function discard_audit_day() returns trigger
    language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        delete from audit_days
          where day in (date_trunc('day', old.created_at, 'UTC'), date_trunc('day', new.created_at, 'UTC'));
        return null;
      end
    $$;
  create or replace trigger discard_day_of_late_record after insert on audit_records for each row
    when (new.created_at < now() - interval '1 hour') execute function discard_audit_day();
  create or replace trigger discard_day_of_changed_record after update or delete on audit_records for each row
    execute function discard_audit_day();

  create or replace function discard_audit_days() returns trigger
    language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        delete from audit_days;
        return null;
      end
    $$;
  create or replace trigger discard_days after truncate on audit_records for each statement execute function discard_audit_days();`;

/**
 * Counts all days again and replaces the totals of those that differ. Returns the number of records of each day, and each total
 * that was wrong.
 */
const REPAIR_AUDIT_DAY_TOTALS = `
  create or replace function repair_audit_day_totals() returns table (key jsonb, kept bigint, counted bigint)
    language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
      #variable_conflict use_column
      declare
        checked timestamptz;
        is_wrong bool;
      begin
        lock table audit_days in share row exclusive mode;
        for checked in select day from audit_days order by day loop
          is_wrong := false;
          for key, kept, counted in
            with counts as (
              select jsonb_strip_nulls(to_jsonb(c) - 'total') as key, c.total from count_audit_day(checked) c
            ), totals as (
              select jsonb_strip_nulls(to_jsonb(t) - 'total' - 'day') as key, t.total from audit_day_totals t where t.day = checked
            )
            select jsonb_build_object('day', to_char(checked, 'YYYY-MM-DD')) || key,
              coalesce(totals.total, 0), coalesce(counts.total, 0)
            from counts full join totals using (key)
            where coalesce(totals.total, 0) <> coalesce(counts.total, 0) or key = '{}'
            order by key
          loop
            is_wrong := is_wrong or kept <> counted;
            return next;
          end loop;
          if is_wrong then
            delete from audit_days where day = checked;
            perform store_audit_day_totals(checked);
          end if;
        end loop;
      end
    $$;`;

/** As before, and the totals of the days of the partition are deleted with it. */
const DROP_EXPIRED_AUDIT_PARTITION_AND_DAYS = `
  create or replace function drop_expired_audit_partition(retention_days int) returns text
    language plpgsql security definer
    set search_path = public, pg_temp set timezone = 'UTC' set datestyle = 'ISO' set lock_timeout = '300ms' as $$
      declare
        expired record;
        counts jsonb;
      begin
        if retention_days < 1 then
          raise exception 'A retention of % days keeps all records', retention_days;
        end if;
        lock table audit_records in share update exclusive mode;
        select partition::text, ends into expired from partitions_of('audit_records')
          where ends <= now() - make_interval(days => retention_days) order by ends limit 1;
        if expired is null then
          return null;
        end if;
        execute format('lock table %s in share mode', expired.partition);
        execute format('select coalesce(jsonb_object_agg(action, total), ''{}'')
          from (select action, count(*) as total from %s group by 1) counted', expired.partition) into counts;
        delete from audit_days where day < expired.ends;
        lock table audit_records in access exclusive mode;
        insert into audit_totals (action, total)
          select key, -value::int from jsonb_each_text(counts) order by 1
          on conflict (action, slot) do update set total = audit_totals.total + excluded.total;
        execute format('drop table %s', expired.partition);
        return expired.partition;
      end
    $$;`;

const FOR_WORKER = 'store_next_audit_day_totals(), repair_audit_day_totals()';

export const up = (db: Knex): Promise<void> =>
  runWithShortLock(
    db,
    [
      TABLES,
      COUNT_AUDIT_DAY,
      STORE_AUDIT_DAY_TOTALS,
      STORE_NEXT_AUDIT_DAY_TOTALS,
      DISCARD_AUDIT_DAY,
      REPAIR_AUDIT_DAY_TOTALS,
      DROP_EXPIRED_AUDIT_PARTITION_AND_DAYS,
      `revoke execute on function ${FOR_WORKER} from public;`,
    ].join('\n'),
  );

export const down = (db: Knex): Promise<void> =>
  runWithShortLock(
    db,
    `
    ${DROP_EXPIRED_AUDIT_PARTITION.replace('create function', 'create or replace function')}
    drop function discard_audit_day(), discard_audit_days() cascade;
    drop function ${FOR_WORKER}, store_audit_day_totals(timestamptz), count_audit_day(timestamptz);
    drop table audit_day_totals, audit_days;
  `,
  );
