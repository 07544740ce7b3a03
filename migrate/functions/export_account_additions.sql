-- Returns what later releases have added to the export of a user: the values of `user`, `isSecondStepOn`,
-- `pauses`, `staysSignedIn` by session and `replies` by contact form. export_account does not return them,
-- because the previous release rejects unknown fields in development. The function has the rights of the
-- owner, because auth-service may not read contact forms.
create or replace function export_account_additions(owner uuid) returns jsonb
  language sql stable security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
  select jsonb_build_object(
    'user', jsonb_build_object(
      'timeZone', u.time_zone,
      'administratorName', (select r.name from user_roles r where r.user_id = u.id and r.name is not null)),
    'isSecondStepOn', u.is_second_step_on,
    'pauses', coalesce((
      select jsonb_agg(jsonb_build_object(
        'secret', case secret when 'code' then 'email-code' else secret end, 'until', waits_until) order by secret)
      from failed_guesses where subject = u.id::text and scope = 'account' and waits_until > now()), '[]'),
    'staysSignedIn', coalesce((
      select jsonb_object_agg(s.id, t.stays_signed_in)
      from sessions s join token_records t on t.id = s.token_id where s.user_id = u.id), '{}'),
    'replies', coalesce((
      select jsonb_object_agg(r.form_id, r.replies) from (
        select f.id as form_id, jsonb_agg(jsonb_build_object('text', e.text, 'createdAt', e.created_at) order by e.created_at, e.id) as replies
        from (
          select id from lead_requests where user_id = u.id
          union all
          select id from support_requests where user_id = u.id
        ) f join contact_entries e on (e.lead_request_id = f.id or e.support_request_id = f.id) and e.kind = 'reply'
        group by f.id
      ) r), '{}')
  ) from users u where u.id = owner
$$;
