-- Records a sign-in that was rejected because the account is paused: once for a pause and client network.
-- Returns whether it was recorded. The function has the rights of the owner, because auth-service may not read
-- the audit log.
create or replace function add_paused_sign_in(
  target text, request text, client text, details jsonb, client_network text, paused_until timestamptz
) returns boolean
  language sql volatile security definer set search_path = public, pg_temp as $$
  -- Waits for a deletion of the account that is not committed yet, after which nothing about it is recorded.
  select from users where id = target::uuid for share;
  -- Of several rejected at once, the first is recorded. The next statement sees what it has added.
  select pg_advisory_xact_lock(hashtextextended(target || client_network, 0));
  with added as (
    insert into audit_records (action, target_type, target_id, request_id, address, details)
    select 'SIGN_IN_FAILED', case when target is not null then 'USER' end, target, request, client,
      details || jsonb_build_object('network', client_network, 'pausedUntil', paused_until)
    where not exists (select from users where id = target::uuid and deleted_at is not null) and not exists (
      select from audit_records r
      -- No pause lasts longer than a day.
      where r.target_id = target and r.action = 'SIGN_IN_FAILED' and r.created_at > now() - interval '1 day'
        and r.details ->> 'network' = client_network and (r.details ->> 'pausedUntil')::timestamptz > now()
    ) returning 1
  )
  select exists (select from added)
$$;
