-- Ends the newest partition, which is unbounded, at `bound`, and creates the next one. Attaching reads all rows of the partition
-- under the lock, unless it is empty or has a valid check of the bound (partitions.ts).
create or replace function close_newest_partition(parent regclass, bound timestamptz) returns text
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
$$;
