-- The rights of auth-service.
grant usage on schema public to platform_auth;

grant select, insert (email, password_hash, language, time_zone, is_email_verified, created_at),
  update (email, password_hash, is_email_verified, factor_version, is_second_step_on, sessions_forgotten, language, time_zone,
    last_sign_in_at, updated_at)
  on users to platform_auth;
grant select, insert (user_id, role, user_created_at), update (name) on user_roles to platform_auth;
grant select, insert, update (first_name, last_name, phone, updated_at) on customer_profiles, employee_profiles to platform_auth;

-- Does not include created_at, which limits the lifetime of a session.
grant select,
  insert (user_id, access_token_id, access_token_expired_at, refresh_token_id, refresh_token_expired_at, methods,
    provider_issuer, provider_subject, provider_session, authenticated_at, user_agent, stays_signed_in),
  update (access_token_id, access_token_expired_at, refresh_token_id, refresh_token_expired_at, refreshed_at, methods,
    proved_at),
  delete on token_records to platform_auth;
grant select, insert, update, delete on sessions to platform_auth;
grant select, insert, update (last_seen), delete on session_networks to platform_auth;
grant select, insert, update, delete on failed_guesses to platform_auth;

grant select, insert, update, delete on totp_factors, passkeys to platform_auth;
grant select, insert, update (code_hash), delete on recovery_codes to platform_auth;
-- Does not include issuer and subject, which identify the identity.
grant select, insert (user_id, provider, issuer, subject, email, last_used_at), update (provider, email, last_used_at), delete
  on identities to platform_auth;

grant select, delete on invitations to platform_auth;
grant insert (mail, request_id, traceparent, user_id) on mail_outbox to platform_auth;
-- Append-only. The id and time come from defaults. Limits count recent records.
grant select (id, target_id, action, created_at),
  insert (action, actor_id, target_type, target_id, request_id, address, details) on audit_records to platform_auth;
-- Inserted together with the audit record; the sequence, id and time come from defaults.
grant insert (type, subject, data, caused_by) on events to platform_auth;

grant execute on function new_row_id(), search_key(text), search_text(text), delete_account(uuid, text), remove_unused_kinds(uuid), export_account(uuid), export_account_additions(uuid),
  export_audit_records(uuid, timestamptz, uuid), list_sign_ins(uuid, timestamptz, uuid, int),
  count_failures(text, text, text, int), add_paused_sign_in(text, text, text, jsonb, text, timestamptz), seconds_until_role_grant(uuid, int) to platform_auth;
grant select on knex_migrations to platform_auth;
