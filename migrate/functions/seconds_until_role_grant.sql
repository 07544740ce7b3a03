-- The seconds until the administrator has given fewer than this number of platform roles within an hour; 0 if
-- there are fewer now. An invitation counts when it is sent, not when it is accepted, and the first
-- administrator's own registration does not count. This is a function with the rights of the owner, because
-- auth-service may read neither actors nor details of the audit log.
create or replace function seconds_until_role_grant(administrator uuid, most int) returns int
  language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce((
    select ceil(extract(epoch from created_at + interval '1 hour' - now()))::int from audit_records
    where actor_id = administrator and target_id <> administrator::text and created_at > now() - interval '1 hour'
      and action in ('ADMINISTRATOR_REGISTERED', 'INVITATION_SENT', 'ROLE_ASSIGNED') and details -> 'invitationId' is null
    order by created_at desc, id desc offset most - 1 limit 1), 0)
$$;
