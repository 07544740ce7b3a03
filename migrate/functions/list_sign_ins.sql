-- Returns the sign-ins of a user and the failed ones, newest first: at most page_size before the given position,
-- and `next`, the position of the last one, or null at the end. The function has the rights of the owner,
-- because auth-service may not read the audit log.
create or replace function list_sign_ins(owner uuid, before_time timestamptz, before_id uuid, page_size int) returns jsonb
  language sql stable security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
  with found as (
    select created_at, id, action, address, details from audit_records
    -- Without a kind, 1.0.0 recorded a passkey whose counter went back, once more, and also outside of a sign-in.
    where target_id = owner::text and action in ('SIGNED_IN', 'SIGN_IN_FAILED') and details ->> 'kind' is not null
      and (created_at, id) < (before_time, before_id)
    order by created_at desc, id desc limit page_size + 1
  ), page as (
    select * from found order by created_at desc, id desc limit page_size
  )
  select jsonb_build_object(
    'data', coalesce((
      select jsonb_agg(jsonb_build_object(
        'at', created_at,
        'kind', details ->> 'kind',
        'result', case
          when action = 'SIGNED_IN' then action
          -- 1.0.0 recorded a step, the code of a provider's rejection, or nothing for a wrong password.
          when details ->> 'reason' = 'signature-counter' then 'WRONG_FACTOR'
          when details ->> 'reason' = 'USER_BLOCKED' then 'BLOCKED'
          when details ->> 'reason' = 'PLATFORM_ROLE_INVALID' then 'NO_ROLE'
          when details ->> 'reason' = 'EMAIL_TAKEN' then 'WRONG_KIND'
          when details ->> 'reason' in ('PROVIDER_NOT_ALLOWED', 'OIDC_EMAIL_UNVERIFIED', 'OIDC_NO_ACCOUNT', 'ACCOUNT_EXISTS')
            then 'PROVIDER_REJECTED'
          when details ->> 'reason' is not null then details ->> 'reason'
          when details ->> 'step' = 'second-factor' then 'WRONG_FACTOR'
          when details ->> 'step' = 'passkey' then 'WRONG_KIND'
          else 'WRONG_PASSWORD'
        end,
        'methods', coalesce(details -> 'methods', '[]'),
        'ip', address,
        'userAgent', details -> 'userAgent',
        'isNewDevice', coalesce(details -> 'isNewDevice', 'false')
      ) order by created_at desc, id desc) from page), '[]'),
    'next', (
      select jsonb_build_object('at', to_char(created_at, 'YYYY-MM-DD"T"HH24:MI:SS.USZ'), 'id', id)
      from page where (select count(*) from found) > page_size
      order by created_at, id limit 1))
$$;
