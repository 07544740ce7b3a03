-- The rights of mailer-worker. A row lock requires UPDATE on a column; the chosen columns do not affect other
-- processes.
grant usage on schema public to platform_worker;

grant select (id, refresh_token_expired_at), update (access_token_expired_at), delete on token_records to platform_worker;
grant select (id, token_id, updated_at), update (updated_at), delete on sessions to platform_worker;
grant select (user_id, enabled_at, created_at), delete on totp_factors to platform_worker;
grant select (subject, secret, expires_at), update (attempted_at), delete on failed_guesses to platform_worker;

grant select (id, created_at), delete on lead_requests, support_requests, audit_records to platform_worker;
grant select, update (enqueued_at, failed_at, failure, attempts), delete on mail_outbox to platform_worker;
-- A mail of a deleted account is not recorded.
grant select (id, deleted_at) on users to platform_worker;
grant select (id, recorded_at), insert (id, user_id, mail, service, recipient, state), delete on sent_mails to platform_worker;
grant select (id, created_at), delete on service_mails to platform_worker;
grant select (id, expires_at), delete on invitations to platform_worker;
grant select (sequence, recorded_at, position), update (position, cursor), delete on events to platform_worker;

grant execute on function record_code_mail(uuid, uuid, text, text, text), find_mail_recipient(uuid), store_hourly_counts()
  to platform_worker;
grant select on knex_migrations to platform_worker;
