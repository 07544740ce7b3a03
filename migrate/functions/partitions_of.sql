-- The partitions of a table with their bounds, of which null is unbounded. Bounds are read in ISO format and UTC, whatever the
-- settings of the session.
create or replace function partitions_of(parent regclass)
  returns table (partition regclass, starts timestamptz, ends timestamptz)
  language sql stable set timezone = 'UTC' set datestyle = 'ISO' as $$
  select c.oid::regclass,
    (regexp_match(bounds, 'FROM \(''([^'']+)''\)'))[1]::timestamptz,
    (regexp_match(bounds, 'TO \(''([^'']+)''\)'))[1]::timestamptz
  from pg_inherits i
  join pg_class c on c.oid = i.inhrelid
  cross join pg_get_expr(c.relpartbound, c.oid) bounds
  where i.inhparent = parent
$$;
