-- Drops the oldest partition of superseded refresh tokens that have all expired; null when there is none. The hour is for
-- transactions that started before the end of the partition. Called by the nightly cleanup, with the rights of the owner, because
-- the worker owns no table.
create or replace function drop_expired_token_partition() returns text
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
$$;
