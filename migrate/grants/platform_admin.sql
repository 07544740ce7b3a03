-- The rights of admin-service.
grant usage on schema public to platform_admin;

grant select (id, email, is_email_verified, is_blocked, factor_version, is_second_step_on, language, time_zone, last_sign_in_at,
    created_at, updated_at, deleted_at),
  update (is_blocked, factor_version, is_second_step_on, language, time_zone, updated_at) on users to platform_admin;
grant select, insert (user_id, role, user_created_at), delete on user_roles to platform_admin;
grant select on customer_profiles, employee_profiles to platform_admin;

grant select (id, user_id, access_token_id, refresh_token_expired_at, methods, user_agent, created_at, refreshed_at, proved_at,
    stays_signed_in),
  delete on token_records to platform_admin;
-- A row lock requires UPDATE on a column; changing this one does not affect other processes.
grant select (id, user_id, token_id, ip, created_at), update (updated_at) on sessions to platform_admin;
grant select (user_id, enabled_at), delete on totp_factors to platform_admin;
grant select (id, user_id, name, verifies_user, created_at, last_used_at), delete on passkeys to platform_admin;
grant select (user_id), delete on recovery_codes to platform_admin;
-- Only the pauses of accounts are shown, and ended.
grant select (subject, secret, scope, waits_until), delete on failed_guesses to platform_admin;
grant select (id, user_id, provider, email, linked_at, last_used_at), delete on identities to platform_admin;
grant select, insert (user_id, author_id, text) on user_notes to platform_admin;

-- Does not include who owns a project, what identifies a record, and the body that created it.
grant select, insert (id, owner_id, title, description, category, status, contracting_stage, creation_digest),
  update (title, description, category, status, contracting_stage, updated_at, deleted_at, deleted_by) on projects to platform_admin;
grant select, insert (id, name, slug, bio, status, external_experience, creation_digest),
  update (name, bio, external_experience, status, verified_at, updated_at) on teams to platform_admin;
grant select, insert (team_id, employee_id, role, status, can_sign, can_submit),
  update (role, status, can_sign, can_submit, removed_at) on team_members to platform_admin;

grant select, insert (name, email, phone, company, message), update (done_at, done_by, assignee_id, replied_at) on lead_requests to platform_admin;
grant select, insert (email, subject, message, name), update (done_at, done_by, assignee_id, replied_at) on support_requests to platform_admin;
grant select, insert (id, kind, lead_request_id, support_request_id, author_id, text) on contact_entries to platform_admin;
grant insert (mail, request_id, traceparent, user_id, invitation_id),
  select (id, mail, user_id, created_at, failed_at, failure, attempts), update (enqueued_at, failed_at, failure, attempts), delete
  on mail_outbox to platform_admin;
grant select, insert (id, service, service_mail_id, user_id, digest) on service_mails to platform_admin;
grant select on sent_mails to platform_admin;
-- Does not include the hash of the code.
grant select (id, email, role, language, invited_by, created_at, expires_at),
  insert (email, role, language, code_hash, invited_by, expires_at), delete on invitations to platform_admin;
-- Append-only. The id and time come from defaults.
grant select, insert (action, actor_id, target_type, target_id, request_id, address, details)
  on audit_records to platform_admin;
-- Releases before 1.3.0 store the counts themselves.
grant select, insert on hourly_counts to platform_admin;
-- Inserted together with the audit record; the sequence, id and times come from defaults. Only
-- `npm run events:backfill` inserts the id and the time of an event. Other services read them through
-- admin-service.
grant select, insert (event_id, type, subject, data, caused_by, occurred_at), update (position, cursor) on events to platform_admin;

grant execute on function new_row_id(), search_key(text), search_text(text), delete_account(uuid, text), export_account(uuid), export_account_additions(uuid),
  export_audit_records(uuid, timestamptz, uuid), user_has_password(uuid), is_last_administrator(uuid, uuid),
  leave_teams(uuid, uuid[]), seconds_until_role_grant(uuid, int) to platform_admin;
grant select on knex_migrations to platform_admin;
