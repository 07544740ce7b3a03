-- The schema of the first release, from top to bottom. Later changes are in migrations/, functions in
-- functions/, and the rights of each process in grants/. `npm run migrate` runs it.

create extension if not exists pg_trgm;

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
  -- The language of mails to the user.
  language text not null default 'en',
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
  created_at timestamptz not null default now(),
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
  -- The refresh token that was exchanged last; null before the first refresh.
  previous_refresh_token_id uuid,
  refreshed_at timestamptz,
  -- Whether a request has used the newest tokens. Until then a refresh may be repeated: its response may have
  -- been lost.
  is_used boolean not null default true,
  -- For the back-channel logout of sessions that were opened by a provider: issuer, `sub` and `sid` of the ID
  -- token.
  provider_issuer text,
  provider_subject text,
  provider_session text,
  -- When the user last proved their identity. With a provider, this may be long before the session.
  authenticated_at timestamptz
  -- Leaves room to update is_used in the same page, without new index entries.
) with (fillfactor = 80);
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
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by uuid references users,
  check ((status = 'CONTRACTING') = (contracting_stage is not null)),
  check ((deleted_at is null) = (deleted_by is null))
);
-- For the export of an account, and for the foreign key.
create index projects_owner_id on projects (owner_id);
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

-- Teams of employees.
create table teams (
  id uuid primary key default new_row_id(),
  name text not null check (char_length(name) between 1 and 255),
  slug text not null constraint teams_slug_key unique,
  bio text,
  status text not null check (status in ('ONBOARDING', 'ACTIVE', 'SUSPENDED', 'ARCHIVED')),
  external_experience text,
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (case status when 'ONBOARDING' then verified_at is null when 'ACTIVE' then verified_at is not null else true end)
);
-- For the list of teams, with and without the filter.
create index teams_newest on teams (created_at desc, id desc);
create index teams_newest_by_status on teams (status, created_at desc, id desc);

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
-- For the export and the deletion of an account.
create index team_members_employee_id on team_members (employee_id);

-- Contact forms ---------------------------------------------------------------------------------------------

-- Contact forms of potential customers.
create table lead_requests (
  id uuid primary key default new_row_id(),
  name text not null,
  email text not null,
  phone text,
  company text,
  message text,
  address text not null,
  created_at timestamptz not null default now()
);
-- For the nightly cleanup.
create index lead_requests_created_at on lead_requests (created_at);
-- For the export and the deletion of an account.
create index lead_requests_email on lead_requests (lower(email));

-- Contact forms to support.
create table support_requests (
  id uuid primary key default new_row_id(),
  email text not null,
  subject text not null,
  message text not null,
  name text,
  address text not null,
  created_at timestamptz not null default now()
);
-- For the nightly cleanup, and for the export and the deletion of an account.
create index support_requests_created_at on support_requests (created_at);
create index support_requests_email on support_requests (lower(email));

-- Mails and audit log ---------------------------------------------------------------------------------------

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
  -- The W3C trace context of the request, or null.
  traceparent text,
  -- Not a foreign key, because the notice of a deletion also belongs to a user. Null for mails that must be
  -- sent whatever happens to accounts: contact forms, and the notice to the previous address of an account.
  user_id uuid
);
-- For the deletion of an account.
create index mail_outbox_user_id on mail_outbox (user_id) where user_id is not null;
-- For the relay, which takes the oldest rows first.
create index mail_outbox_to_relay on mail_outbox (created_at) where failed_at is null;
-- For the nightly cleanup, and for the number of failed mails in the metrics.
create index mail_outbox_failed_at on mail_outbox (failed_at) where failed_at is not null;

-- Append-only. There are no foreign keys, because a record must outlive its actor and target.
create table audit_records (
  id uuid primary key default new_row_id(),
  action text not null,
  actor_id uuid,
  target_type text not null,
  target_id text not null,
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
