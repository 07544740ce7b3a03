-- The schema of release 1.0.0, from top to bottom. Later changes are in migrations/, functions in functions/,
-- and the rights of each process in grants/. `npm run migrate` runs it.

create extension if not exists pg_trgm;

-- Releases --------------------------------------------------------------------------------------------------

-- The releases of the platform whose `npm run migrate` has begun on this database. An older one leaves it alone.
create table releases (
  version text primary key,
  migrated_at timestamptz not null default now()
);

-- Users -----------------------------------------------------------------------------------------------------

-- Accounts of all kinds. A deleted account keeps its row without personal data.
create table users (
  id uuid primary key default new_row_id(),
  -- Lower case; null after the account was deleted.
  email text constraint users_email_key unique check (email = lower(email) and char_length(email) between 3 and 254),
  -- A bcrypt hash; 'deleted' after the account was deleted; null if a provider or a passkey signs in.
  password_hash text,
  is_email_verified boolean not null default false,
  is_blocked boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Increased by every change of the second factors or the platform role and by the first proof of the
  -- e-mail. Everything that is prepared for a later request is bound to it.
  factor_version int not null default 0,
  deleted_at timestamptz,
  -- True while the owner of the account has switched the second step on.
  is_second_step_on boolean not null default false,
  -- The language of mails to the user.
  language text not null default 'en',
  -- The last sign-in with any kind of account. It stays when the session ends, and is null before the first
  -- one.
  last_sign_in_at timestamptz,
  -- True after a proof of the address or a reset has deleted sessions: the next sign-in is not the account's
  -- first one.
  sessions_forgotten boolean not null default false,
  constraint users_email_until_deleted check ((email is null) = (deleted_at is not null))
);
-- For the list of users, with and without the filter.
create index users_newest on users (created_at desc, id desc);
create index users_newest_by_blocked on users (is_blocked, created_at desc, id desc);
-- For searches of the list with terms of three or more letters or digits.
create index users_email_trigrams on users using gin (email gin_trgm_ops);
-- For the highest cost of a stored hash, which determines the work for a wrong password.
create index users_password_cost on users (substr(password_hash, 5, 2)) where password_hash like '$2_$__$%';

-- The kinds of account of a user, and at most one platform role.
create table user_roles (
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('CUSTOMER', 'EMPLOYEE', 'ADMIN', 'OPERATOR', 'ARBITER')),
  -- A copy of users.created_at, which never changes, for the order of the list of users with a role.
  user_created_at timestamptz not null,
  primary key (user_id, role)
);
create unique index user_roles_one_platform_role on user_roles (user_id) where role in ('ADMIN', 'OPERATOR', 'ARBITER');
-- For the list of users with a role.
create index user_roles_newest on user_roles (role, user_created_at desc, user_id desc);

-- The person who has a customer account.
create table customer_profiles (
  id uuid primary key default new_row_id(),
  user_id uuid not null unique references users on delete cascade,
  first_name text check (char_length(first_name) between 1 and 100),
  last_name text check (char_length(last_name) between 1 and 100),
  phone text check (char_length(phone) between 1 and 32),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- For searches of the list of users by name, which ignore accents.
create index customer_profiles_name_keys on customer_profiles
  using gin (search_key(coalesce(first_name || ' ', '') || coalesce(last_name, '')) gin_trgm_ops);

-- The person who has an employee account. Teams refer to it.
create table employee_profiles (
  id uuid primary key default new_row_id(),
  user_id uuid not null unique references users on delete cascade,
  first_name text check (char_length(first_name) between 1 and 100),
  last_name text check (char_length(last_name) between 1 and 100),
  phone text check (char_length(phone) between 1 and 32),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- For searches of the list of users by name, which ignore accents.
create index employee_profiles_name_keys on employee_profiles
  using gin (search_key(coalesce(first_name || ' ', '') || coalesce(last_name, '')) gin_trgm_ops);

-- Notes of the back office about a user, for example why the user was blocked.
create table user_notes (
  id uuid primary key default new_row_id(),
  user_id uuid not null references users on delete cascade,
  author_id uuid not null references users,
  text text not null check (char_length(text) between 1 and 2000),
  created_at timestamptz not null default now()
);
create index user_notes_newest on user_notes (user_id, created_at desc, id desc);
-- For the foreign key.
create index user_notes_author_id on user_notes (author_id);

-- Invitations of the back office that wait for their acceptance.
create table invitations (
  id uuid primary key default new_row_id(),
  -- In lower case. A second invitation of the address replaces the first.
  email text not null constraint invitations_email_key unique
    check (email = lower(email) and char_length(email) between 3 and 254),
  role text not null check (role in ('ADMIN', 'OPERATOR', 'ARBITER')),
  -- The language of the mail, and of the account unless the browser of the invited person has another.
  language text not null,
  -- A keyed hash of the code.
  code_hash text not null constraint invitations_code_hash_key unique,
  invited_by uuid not null references users,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
-- For the invitations of somebody who is blocked, or is no longer ADMIN.
create index invitations_invited_by on invitations (invited_by);
-- For the nightly cleanup.
create index invitations_expires_at on invitations (expires_at);

-- Sessions --------------------------------------------------------------------------------------------------

-- One record for each session that is signed in. The id of the access token is a keyed hash of its `jti`. The
-- id of the refresh token names the record and the generation (refresh-token-id.ts of auth-service).
create table token_records (
  id uuid primary key default new_row_id(),
  user_id uuid not null references users on delete cascade,
  access_token_id uuid not null unique,
  access_token_expired_at timestamptz not null,
  refresh_token_id uuid not null unique,
  refresh_token_expired_at timestamptz not null,
  -- The time of the sign-in: a session ends SESSION_MAX_AGE later.
  created_at timestamptz not null default now(),
  -- How the session was signed in, and the factors that were proved since: password, totp, recovery-code,
  -- passkey, oidc:<provider>, and mfa if the provider has verified a second factor.
  methods text[] not null default '{password}',
  -- The User-Agent header of the sign-in.
  user_agent text check (char_length(user_agent) between 1 and 256),
  refreshed_at timestamptz,
  -- For the back-channel logout of sessions that were opened by a provider: issuer, `sub` and `sid` of the ID
  -- token.
  provider_issuer text,
  provider_subject text,
  provider_session text,
  -- When the user last proved their identity. With a provider, this may be long before the session.
  authenticated_at timestamptz,
  -- When an administrator last proved their identity in the session; null before the first proof since the
  -- sign-in.
  proved_at timestamptz
);
-- For ending all sessions of a user.
create index token_records_user_id on token_records (user_id);
-- For the nightly cleanup.
create index token_records_refresh_token_expired_at on token_records (refresh_token_expired_at);
-- For the back-channel logout.
create index token_records_provider_subject on token_records (provider_issuer, provider_subject)
  where provider_subject is not null;
create index token_records_provider_session on token_records (provider_issuer, provider_session)
  where provider_session is not null;

-- One session for each device of a user. It outlives its tokens, so that the next sign-in of the device gets
-- the same id.
create table sessions (
  id uuid primary key default new_row_id(),
  user_id uuid not null references users on delete cascade,
  token_id uuid unique references token_records on delete set null,
  fingerprint text not null check (char_length(fingerprint) between 1 and 256),
  ip text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, fingerprint)
);
-- For the nightly cleanup.
create index sessions_without_tokens on sessions (updated_at) where token_id is null;

-- The most recent networks from which each session has signed in. A known device in a known network is exempt
-- from pauses.
create table session_networks (
  session_id uuid not null references sessions on delete cascade,
  network text not null,
  last_seen timestamptz not null default now(),
  primary key (session_id, network)
);

-- Failures at a secret, and the wait after the last one; a success deletes the rows. The table is unlogged,
-- because failures are written at the rate of an attack. After a crash or a failover of Postgres, the counts
-- start again.
create unlogged table failed_guesses (
  -- The id of the user, or a keyed hash of the e-mail or of a network and an address.
  subject text not null,
  secret text not null check (secret in ('password', 'second-factor', 'code')),
  scope text not null check (scope in ('network', 'wider-network', 'email', 'account')),
  failures int not null default 1,
  -- Attempts that are being verified. Meanwhile, they count as failures.
  pending int not null default 1,
  attempted_at timestamptz not null default now(),
  -- Not the time of the attempt, which is later than the start of an earlier statement.
  waits_until timestamptz not null default '-infinity',
  expires_at timestamptz not null,
  primary key (subject, secret)
);
-- For the hourly cleanup.
create index failed_guesses_expires_at on failed_guesses (expires_at);

-- Accounts at OpenID Connect providers that can sign in to a user's account.
create table identities (
  id uuid primary key default new_row_id(),
  user_id uuid not null references users on delete cascade,
  -- The name in OIDC_PROVIDERS.
  provider text not null,
  issuer text not null,
  -- The user's id at the issuer.
  subject text not null check (char_length(subject) between 1 and 255),
  -- The address at the provider when the identity was last used. It proves nothing.
  email text check (char_length(email) <= 254),
  linked_at timestamptz not null default now(),
  last_used_at timestamptz,
  constraint identities_issuer_subject_key unique (issuer, subject)
);
-- For the identities of a user.
create index identities_user_id on identities (user_id);

-- Second factors --------------------------------------------------------------------------------------------

-- At most one authenticator app for each user.
create table totp_factors (
  user_id uuid primary key references users on delete cascade,
  -- Encrypted with SECOND_FACTOR_KEY.
  sealed_secret text not null,
  -- Null until the first code is confirmed.
  enabled_at timestamptz,
  -- The session that set up an unconfirmed app, and the state of the account at that time. Null for an enabled
  -- app.
  prepared_by text,
  -- Each code is accepted once.
  last_used_step bigint,
  created_at timestamptz not null default now()
);

-- WebAuthn credentials.
create table passkeys (
  id uuid primary key default new_row_id(),
  user_id uuid not null references users on delete cascade,
  credential_id text not null constraint passkeys_credential_id_key unique,
  public_key bytea not null,
  counter bigint not null,
  -- Whether the authenticator has verified the user, without which a passkey cannot sign in alone.
  verifies_user boolean not null default true,
  transports text[] not null default '{}',
  name text not null check (char_length(name) between 1 and 64),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
-- For the passkeys of a user, at each sign-in with a second factor.
create index passkeys_user_id on passkeys (user_id);

-- Keyed hashes of unused codes. A used code is deleted.
create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash text not null,
  primary key (user_id, code_hash)
);

-- Projects and teams ----------------------------------------------------------------------------------------

-- Projects of customers. A deleted project is kept, with the user who deleted it.
create table projects (
  id uuid primary key default new_row_id(),
  owner_id uuid not null references users,
  title text not null check (char_length(title) between 3 and 255),
  description text not null check (char_length(description) >= 3),
  category text not null
    check (category in ('WEB', 'MOBILE', 'DESIGN', 'MARKETING', 'DATA', 'DEVOPS', 'CONSULTING', 'OTHER')),
  status text not null default 'DRAFT' check (status in ('DRAFT', 'MODERATION', 'PUBLISHED', 'TEAM_SELECTION',
    'CONTRACTING', 'IN_PROGRESS', 'ON_REVIEW', 'DISPUTED', 'COMPLETED', 'CANCELLED')),
  contracting_stage text check (contracting_stage in ('NEGOTIATION', 'DRAFTING', 'CUSTOMER_SIGNING',
    'EXECUTOR_SIGNING', 'SIGNED')),
  -- The SHA-256 of the body with which another service created the project, so that a repeated request is
  -- recognized. Null if no service has created it.
  creation_digest bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by uuid references users,
  check ((status = 'CONTRACTING') = (contracting_stage is not null)),
  check ((deleted_at is null) = (deleted_by is null))
);
-- For the lists of other services, in the order of the ids, with each of their filters. That by owner also
-- serves the export of an account and the foreign key.
create index projects_by_owner on projects (owner_id, id);
create index projects_by_status on projects (status, id);
-- For the foreign key.
create index projects_deleted_by on projects (deleted_by) where deleted_by is not null;
-- For the list of projects, with each combination of its filters.
create index projects_newest on projects (created_at desc, id desc) where deleted_at is null;
create index projects_newest_by_status on projects (status, created_at desc, id desc) where deleted_at is null;
create index projects_newest_by_category on projects (category, created_at desc, id desc) where deleted_at is null;
create index projects_newest_by_status_and_category on projects (status, category, created_at desc, id desc)
  where deleted_at is null;
-- For searches of the list with terms of three or more letters or digits.
create index projects_title_trigrams on projects using gin (title gin_trgm_ops) where deleted_at is null;
create index projects_description_trigrams on projects using gin (description gin_trgm_ops) where deleted_at is null;
-- For the list of deleted projects, and for its search.
create index projects_latest_deletion on projects (deleted_at desc, id desc) where deleted_at is not null;
create index projects_deleted_title_trigrams on projects using gin (title gin_trgm_ops) where deleted_at is not null;

-- Teams of employees.
create table teams (
  id uuid primary key default new_row_id(),
  name text not null check (char_length(name) between 1 and 255),
  slug text not null constraint teams_slug_key unique,
  bio text,
  status text not null check (status in ('ONBOARDING', 'ACTIVE', 'SUSPENDED', 'ARCHIVED')),
  external_experience text,
  verified_at timestamptz,
  -- As of a project.
  creation_digest bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (case status when 'ONBOARDING' then verified_at is null when 'ACTIVE' then verified_at is not null else true end)
);
-- For the list of teams, with and without the filter.
create index teams_newest on teams (created_at desc, id desc);
create index teams_newest_by_status on teams (status, created_at desc, id desc);
-- For searches of the list, by name without accents and by slug.
create index teams_name_keys on teams using gin (search_key(name) gin_trgm_ops);
create index teams_slug_trigrams on teams using gin (slug gin_trgm_ops);
-- For the list of other services, in the order of the ids.
create index teams_by_status on teams (status, id);

-- The current and former employees of a team.
create table team_members (
  team_id uuid not null references teams on delete cascade,
  employee_id uuid not null references employee_profiles,
  role text not null check (role in ('ADMINISTRATOR', 'MEMBER')),
  status text not null check (status in ('INVITED', 'ACTIVE', 'REMOVED')),
  can_sign boolean not null default false,
  can_submit boolean not null default false,
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (team_id, employee_id),
  check ((status = 'REMOVED') = (removed_at is not null))
);
-- For the export and the deletion of an account, and for the list of other services.
create index team_members_by_employee on team_members (employee_id, team_id);

-- Contact forms ---------------------------------------------------------------------------------------------

-- Contact forms of potential customers.
create table lead_requests (
  id uuid primary key default new_row_id(),
  name text not null,
  email text not null,
  phone text,
  company text,
  message text,
  created_at timestamptz not null default now(),
  -- done_by has no foreign key: a deleted user keeps the row in users.
  done_at timestamptz,
  done_by uuid
);
-- For the list of both tables, with and without its filter. The first also serves the nightly cleanup.
create index lead_requests_newest on lead_requests (created_at desc, id desc);
create index lead_requests_newest_by_state on lead_requests ((done_at is not null), created_at desc, id desc);
-- For the export and the deletion of an account.
create index lead_requests_email on lead_requests (lower(email));

-- Contact forms to support.
create table support_requests (
  id uuid primary key default new_row_id(),
  email text not null,
  subject text not null,
  message text not null,
  name text,
  created_at timestamptz not null default now(),
  -- As in lead_requests.
  done_at timestamptz,
  done_by uuid
);
-- As in lead_requests.
create index support_requests_newest on support_requests (created_at desc, id desc);
create index support_requests_newest_by_state on support_requests ((done_at is not null), created_at desc, id desc);
create index support_requests_email on support_requests (lower(email));

-- Mails -----------------------------------------------------------------------------------------------------

-- Each row is an unsent mail, inserted together with the change that causes it. The worker deletes it after
-- sending.
create table mail_outbox (
  id uuid primary key default new_row_id(),
  mail jsonb not null,
  request_id text not null,
  created_at timestamptz not null default now(),
  enqueued_at timestamptz,
  failed_at timestamptz,
  failure text,
  -- The queue forgets failed mails earlier than this table.
  attempts int not null default 0,
  -- The W3C trace context of the request, or null.
  traceparent text,
  -- Not a foreign key, because the notice of a deletion also belongs to a user. Null for mails that must be
  -- sent even when the account is deleted: contact forms, and the notice to a previous address.
  user_id uuid,
  -- The mail of an invitation is deleted with it.
  invitation_id uuid references invitations on delete cascade
);
-- For the deletion of an account.
create index mail_outbox_user_id on mail_outbox (user_id) where user_id is not null;
-- For the foreign key.
create index mail_outbox_invitation_id on mail_outbox (invitation_id) where invitation_id is not null;
-- For the relay, which takes the oldest rows first.
create index mail_outbox_to_relay on mail_outbox (created_at) where failed_at is null;
-- As the index before, for two classes of mails: a flood of one class must not slow down the search for
-- another one.
create index mail_outbox_service_messages on mail_outbox (created_at)
  where failed_at is null and mail -> 'service' is not null;
create index mail_outbox_account_notices on mail_outbox (created_at)
  where failed_at is null and mail -> 'request' is null and mail -> 'service' is null;
-- For the relay, which looks for mails that the queue has lost.
create index mail_outbox_enqueued on mail_outbox (enqueued_at) where failed_at is null and enqueued_at is not null;
-- For the list of failed mails; that of the waiting ones uses mail_outbox_to_relay.
create index mail_outbox_newest_failed on mail_outbox (created_at desc, id desc) where failed_at is not null;
-- For the nightly cleanup, and for the number of failed mails in the metrics.
create index mail_outbox_failed_at on mail_outbox (failed_at) where failed_at is not null;

-- The mails that concern a user, without texts and codes: sent ones, and codes that could not be sent. Other
-- mails are in the outbox until they are sent.
create table sent_mails (
  -- The id of the mail in the outbox or the queue.
  id uuid primary key default new_row_id(),
  user_id uuid not null references users,
  -- The name of the template.
  mail text not null,
  -- The other service that sent the mail.
  service text,
  recipient text not null,
  state text not null check (state in ('sent', 'failed')),
  failure text,
  recorded_at timestamptz not null default now()
);
-- For the export and the deletion of an account.
create index sent_mails_user_id on sent_mails (user_id, recorded_at desc);
-- For the nightly cleanup.
create index sent_mails_recorded_at on sent_mails (recorded_at);

-- The mails of other services, without their texts, so that a repeated request is recognized.
create table service_mails (
  -- The id of the mail in the outbox.
  id uuid primary key default new_row_id(),
  service text not null,
  -- The id that the service has chosen.
  service_mail_id uuid not null,
  user_id uuid not null references users,
  -- The SHA-256 of the body.
  digest bytea not null,
  created_at timestamptz not null default now(),
  constraint service_mails_service_mail_id_key unique (service, service_mail_id)
);
-- For the limit of mails to a user, and for the deletion of an account.
create index service_mails_user_id on service_mails (user_id, service, created_at desc);
-- For the nightly cleanup.
create index service_mails_created_at on service_mails (created_at);

-- Audit log and events --------------------------------------------------------------------------------------

-- Append-only. There are no foreign keys, because a record must outlive its actor and target.
create table audit_records (
  id uuid primary key default new_row_id(),
  action text not null,
  actor_id uuid,
  -- Null without a target, such as at a sign-in as somebody unknown.
  target_type text,
  target_id text,
  request_id text not null,
  -- The client address.
  address text not null,
  details jsonb not null default '{}',
  created_at timestamptz not null default now()
);
-- For the audit log with each of its filters, and for the nightly cleanup. The index by target also serves
-- the limits of changes and of audited failures.
create index audit_records_newest on audit_records (created_at desc, id desc);
create index audit_records_by_actor on audit_records (actor_id, created_at desc, id desc);
create index audit_records_by_action on audit_records (action, created_at desc, id desc);
create index audit_records_by_target on audit_records (target_id, created_at desc, id desc);

-- Events for other services (docs/decisions.md, 31).
create table events (
  -- Assigned before the commit, so events are committed in another order, but those of one subject in this one.
  sequence bigint generated always as identity primary key,
  event_id uuid not null default gen_random_uuid(),
  type text,
  subject uuid,
  data jsonb not null default '{}',
  -- Who caused the event.
  caused_by text not null default 'platform',
  occurred_at timestamptz not null default now(),
  -- The retention counts from this time: an event of `npm run events:backfill` occurred long before.
  recorded_at timestamptz not null default now(),
  -- Assigned after the commit, without gaps: the order in which services read.
  position bigint,
  -- Names the position to a reader. A database that was restored to an earlier time has not assigned it.
  cursor uuid,
  constraint events_numbered check ((position is null) = (cursor is null)),
  constraint events_complete check ((type is null) = (subject is null))
);
create unique index events_position on events (position) where position is not null;
create unique index events_cursor on events (cursor) where cursor is not null;
create index events_unnumbered on events (sequence) where position is null;
-- For `npm run events:backfill`, which looks for subjects without an event of their creation.
create index events_created on events (subject) where type in ('user.created', 'project.created', 'team.created');
-- The start of the feed, so that a reader of an empty one gets a cursor too.
insert into events (position, cursor) values (1, gen_random_uuid());
