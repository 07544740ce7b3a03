-- Returns a part of the audit records of a user, newest first, for the export of the account: at most 5,000
-- before the given position, with times in UTC, and `next`, the position of the last one, or null at the end.
-- The function has the rights of the owner, because auth-service may not read the audit log.
create or replace function export_audit_records(owner uuid, before_time timestamptz, before_id uuid) returns jsonb
  language sql stable security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
  with position as (
    -- Each half has an index in this order. A record of the user's own account is in both.
    (select created_at, id from audit_records
      where actor_id = owner and (created_at, id) < (before_time, before_id)
      order by created_at desc, id desc limit 5001)
    union
    (select created_at, id from audit_records
      where target_id = owner::text and target_type = 'USER' and (created_at, id) < (before_time, before_id)
      order by created_at desc, id desc limit 5001)
    order by created_at desc, id desc limit 5001
  ), page as (
    select * from position order by created_at desc, id desc limit 5000
  )
  select jsonb_build_object(
    'records', coalesce((
      select jsonb_agg(to_jsonb(r) order by page.created_at desc, page.id desc)
      -- The address of another actor, such as an administrator, is not the user's data.
      from page, lateral (
        select id, action, actor_id as "actorId", target_type as "targetType", target_id as "targetId",
          case when actor_id = owner then address end as address, details, created_at as "createdAt"
        from audit_records where id = page.id
      ) r), '[]'),
    'next', (
      select jsonb_build_object('at', to_char(created_at, 'YYYY-MM-DD"T"HH24:MI:SS.USZ'), 'id', id)
      from page where (select count(*) from position) > 5000
      order by created_at, id limit 1))
$$;
