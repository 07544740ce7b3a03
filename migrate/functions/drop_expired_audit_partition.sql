-- Drops the oldest partition of the audit log whose records have all expired; null when there is none. Called by the nightly
-- cleanup, with the rights of the owner, because the worker owns no table.
create or replace function drop_expired_audit_partition(retention_days int) returns text
  language plpgsql security definer
  set search_path = public, pg_temp set timezone = 'UTC' set datestyle = 'ISO' set lock_timeout = '300ms' as $$
  declare
    expired text;
  begin
    if retention_days < 1 then
      raise exception 'A retention of % days keeps all records', retention_days;
    end if;
    lock table audit_records in share update exclusive mode;
    select partition into expired from partitions_of('audit_records')
      where ends <= now() - make_interval(days => retention_days) order by ends limit 1;
    if expired is not null then
      lock table audit_records in access exclusive mode;
      execute format('drop table %s', expired);
    end if;
    return expired;
  end
$$;
