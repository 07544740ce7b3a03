-- Returns all data that is stored about a user, without the audit records: the schema AccountExport of
-- openapi/auth.yaml, with times in UTC. Returns null for an unknown user. The function has the rights of the owner, because auth-service may not
-- read projects, teams and contact forms.
create or replace function export_account(owner uuid) returns jsonb
  language sql stable security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
  select jsonb_build_object(
    'exportedAt', now(),
    'user', (
      select to_jsonb(r) from (
        select u.id, u.email, u.is_email_verified as "isEmailVerified", u.is_blocked as "isBlocked", u.language,
          array(select role from user_roles where user_id = u.id order by role) as roles,
          u.created_at as "createdAt", u.updated_at as "updatedAt", u.last_sign_in_at as "lastSignInAt"
      ) r),
    -- Every column under its name in camelCase, so that a new field is not forgotten.
    'profiles', jsonb_build_object(
      'customer', (
        select jsonb_object_agg(lower(left(key, 1)) || substr(replace(initcap(key), '_', ''), 2), value)
        from customer_profiles p, jsonb_each(to_jsonb(p)) where p.user_id = u.id),
      'employee', (
        select jsonb_object_agg(lower(left(key, 1)) || substr(replace(initcap(key), '_', ''), 2), value)
        from employee_profiles p, jsonb_each(to_jsonb(p)) where p.user_id = u.id)),
    'sessions', coalesce((
      select jsonb_agg(to_jsonb(r) order by r."createdAt") from (
        select s.id, s.ip, t.methods,
          array(select n.network from session_networks n where n.session_id = s.id order by n.last_seen desc) as networks,
          s.created_at as "createdAt", s.updated_at as "updatedAt", t.user_agent as "userAgent",
          t.created_at as "signedInAt", t.refreshed_at as "refreshedAt"
        from sessions s left join token_records t on t.id = s.token_id where s.user_id = u.id
      ) r), '[]'),
    'secondFactor', jsonb_build_object(
      'totp', (
        select jsonb_build_object('enabledAt', enabled_at) from totp_factors where user_id = u.id and enabled_at is not null),
      'passkeys', coalesce((
        select jsonb_agg(to_jsonb(r) order by r."createdAt") from (
          select id, name, created_at as "createdAt", last_used_at as "lastUsedAt" from passkeys where user_id = u.id
        ) r), '[]'),
      'recoveryCodesLeft', (select count(*) from recovery_codes where user_id = u.id)),
    'hasPassword', u.password_hash is not null,
    'identities', coalesce((
      select jsonb_agg(to_jsonb(r) order by r."linkedAt", r.id) from (
        select id, provider, issuer, subject, email, linked_at as "linkedAt", last_used_at as "lastUsedAt"
        from identities where user_id = u.id
      ) r), '[]'),
    'projects', coalesce((
      select jsonb_agg(to_jsonb(r) order by r."createdAt") from (
        select id, title, description, category, status, contracting_stage as "contractingStage", created_at as "createdAt",
          updated_at as "updatedAt", deleted_at as "deletedAt"
        from projects where owner_id = u.id
      ) r), '[]'),
    'teams', coalesce((
      select jsonb_agg(to_jsonb(r) order by r."joinedAt") from (
        select t.id as "teamId", t.name, m.role, m.status, m.created_at as "joinedAt", m.removed_at as "removedAt"
        from team_members m join teams t on t.id = m.team_id join employee_profiles e on e.id = m.employee_id
        where e.user_id = u.id
      ) r), '[]'),
    -- Anybody can submit a form with any e-mail: only one that was verified suggests that the form is the user's.
    'contactForms', coalesce((
      select jsonb_agg(to_jsonb(r) order by r."createdAt") from (
        select 'lead' as kind, id, name, email, phone, company, null as subject, message, created_at as "createdAt"
          from lead_requests where user_id = u.id
        union all
        select 'support', id, name, email, null, null, subject, message, created_at
          from support_requests where user_id = u.id
      ) r), '[]'),
    'invitations', coalesce((
      select jsonb_agg(to_jsonb(r) order by r."createdAt") from (
        select id, email, role, invited_by = u.id as "isSent", created_at as "createdAt", expires_at as "expiresAt"
        from invitations where invited_by = u.id or (u.is_email_verified and email = u.email)
      ) r), '[]'),
    -- A mail of the outbox is recorded when it has been sent.
    'mails', coalesce((
      select jsonb_agg(to_jsonb(r) order by r.at desc, r.id desc) from (
        select id, mail, service, recipient, state, recorded_at as at, failure from sent_mails where user_id = u.id
        union all
        select id, mail ->> 'template', mail ->> 'service', coalesce(mail ->> 'to', u.email),
          case when failed_at is null then 'waiting' else 'failed' end, coalesce(failed_at, created_at), failure
          from mail_outbox where user_id = u.id
      ) r), '[]')
  ) from users u where u.id = owner
$$;
