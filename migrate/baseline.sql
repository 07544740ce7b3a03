-- The schema of the first release, from top to bottom. Later changes are in migrations/, the functions in functions/, and the
-- rights of each process in grants/. Run by `npm run migrate`.

create extension if not exists pg_trgm;

-- Users ------------------------------------------------------------------------------------------------------------------

-- Accounts of all kinds. A deleted account keeps its row without personal data.
create table users (
  id uuid primary key default new_row_id(),
  -- In lower case; null once the account is deleted.
  email text constraint users_email_key unique check (email = lower(email) and char_length(email) between 3 and 254),
  -- bcrypt; 'deleted' once the account is deleted; null where a provider or a passkey signs in.
  password_hash text,
  is_email_verified boolean not null default false,
  is_blocked boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Raised by every change of the second factors and by the first proof of the e-mail: waiting sign-ins and pending changes of
  -- the e-mail are bound to it.
  factor_version int not null default 0,
  deleted_at timestamptz,
  -- Of the mails to the user.
  language text not null default 'en',
  -- A proof of the address or a reset has removed sessions: the next sign-in is not the first of the account.
  sessions_forgotten boolean not null default false,
  constraint users_email_until_deleted check ((email is null) = (deleted_at is not null))
);
-- The list of users, with and without the filter.
create index users_newest on users (created_at desc, id desc);
create index users_newest_by_blocked on users (is_blocked, created_at desc, id desc);
-- Searches of the list: terms of three and more letters or digits.
create index users_email_trigrams on users using gin (email gin_trgm_ops);
-- The highest cost of a stored hash, which decides how much work a wrong password takes.
create index users_password_cost on users (substr(password_hash, 5, 2)) where password_hash like '$2_$__$%';

-- The kinds of account of a user, and at most one role of the platform.
create table user_roles (
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('CUSTOMER', 'EMPLOYEE', 'ADMIN', 'OPERATOR', 'ARBITER')),
  -- users.created_at, which never changes: the order of the list of users with a role.
  user_created_at timestamptz not null,
  primary key (user_id, role)
);
create unique index user_roles_one_platform_role on user_roles (user_id) where role in ('ADMIN', 'OPERATOR', 'ARBITER');
-- The list of users with a role.
create index user_roles_newest on user_roles (role, user_created_at desc, user_id desc);

-- The person behind a customer account.
create table customer_profiles (
  id uuid primary key default new_row_id(),
  user_id uuid not null unique references users on delete cascade,
  first_name text check (char_length(first_name) between 1 and 100),
  last_name text check (char_length(last_name) between 1 and 100),
  phone text check (char_length(phone) between 1 and 32),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- The person behind an employee account, whom teams refer to.
create table employee_profiles (
  id uuid primary key default new_row_id(),
  user_id uuid not null unique references users on delete cascade,
  first_name text check (char_length(first_name) between 1 and 100),
  last_name text check (char_length(last_name) between 1 and 100),
  phone text check (char_length(phone) between 1 and 32),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Sessions ---------------------------------------------------------------------------------------------------------------

-- Of each session that is signed in. The id of the access token is a keyed hash of its `jti`; that of the refresh token names the
-- record and the generation (refresh-token-id.ts of auth-service).
create table token_records (
  id uuid primary key default new_row_id(),
  user_id uuid not null references users on delete cascade,
  access_token_id uuid not null unique,
  access_token_expired_at timestamptz not null,
  refresh_token_id uuid not null unique,
  refresh_token_expired_at timestamptz not null,
  -- The sign-in: a session ends SESSION_MAX_AGE after it.
  created_at timestamptz not null default now(),
  -- How the session was signed in, and the factors proved since: password, totp, recovery-code, passkey.
  methods text[] not null default '{password}',
  -- The token that was exchanged last; null before the first refresh.
  previous_refresh_token_id uuid,
  refreshed_at timestamptz,
  -- Whether a request has used the newest tokens. Until then a refresh may be repeated: its response may have been lost.
  is_used boolean not null default true,
  -- Of sessions that a provider opened, for its back-channel logout: issuer, `sub` and `sid` of the ID token.
  provider_issuer text,
  provider_subject text,
  provider_session text,
  -- When the user last proved their identity: at a provider that may be long before the session.
  authenticated_at timestamptz
  -- Room for the update of is_used in the same page, without new index entries.
) with (fillfactor = 80);
-- Ending all sessions of a user.
create index token_records_user_id on token_records (user_id);
-- The nightly cleanup.
create index token_records_refresh_token_expired_at on token_records (refresh_token_expired_at);
-- The back-channel logout.
create index token_records_provider_subject on token_records (provider_issuer, provider_subject)
  where provider_subject is not null;
create index token_records_provider_session on token_records (provider_issuer, provider_session)
  where provider_session is not null;

-- One for each device of a user. It outlives its tokens, so that the next sign-in of the device has the same id.
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
-- The nightly cleanup.
create index sessions_without_tokens on sessions (updated_at) where token_id is null;

-- The newest networks that each session has signed in from: a known device in a known network is exempt from pauses.
create table session_networks (
  session_id uuid not null references sessions on delete cascade,
  network text not null,
  last_seen timestamptz not null default now(),
  primary key (session_id, network)
);

-- Failures at a secret, and the wait after the last one; a success deletes the rows. Unlogged, because failures are written at the
-- rate of an attack: after a crash or a failover of Postgres the counts begin anew.
create unlogged table failed_guesses (
  -- The user; or a keyed hash of the e-mail, of a network with its address.
  subject text not null,
  secret text not null check (secret in ('password', 'second-factor', 'code')),
  scope text not null check (scope in ('network', 'wider-network', 'email', 'account')),
  failures int not null default 1,
  -- Attempts that are being verified; they count as failures meanwhile.
  pending int not null default 1,
  attempted_at timestamptz not null default now(),
  -- Not the time of the attempt, which is later than that of a statement that began before it.
  waits_until timestamptz not null default '-infinity',
  expires_at timestamptz not null,
  primary key (subject, secret)
);
-- The hourly cleanup.
create index failed_guesses_expires_at on failed_guesses (expires_at);

-- Accounts at providers of OpenID Connect that sign in to a user's account.
create table identities (
  id uuid primary key default new_row_id(),
  user_id uuid not null references users on delete cascade,
  -- The name in OIDC_PROVIDERS.
  provider text not null,
  issuer text not null,
  -- The user's id at the issuer.
  subject text not null check (char_length(subject) between 1 and 255),
  -- At the provider, when the identity was last used; it proves nothing.
  email text check (char_length(email) <= 254),
  linked_at timestamptz not null default now(),
  last_used_at timestamptz,
  constraint identities_issuer_subject_key unique (issuer, subject)
);
-- The identities of a user.
create index identities_user_id on identities (user_id);

-- Second factors ---------------------------------------------------------------------------------------------------------

-- At most one authenticator app for each user.
create table totp_factors (
  user_id uuid primary key references users on delete cascade,
  -- Encrypted under SECOND_FACTOR_KEY.
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
-- The passkeys of a user, at each sign-in with a second factor.
create index passkeys_user_id on passkeys (user_id);

-- Keyed hashes of unused codes; a used one is deleted.
create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash text not null,
  primary key (user_id, code_hash)
);

-- Projects and teams -----------------------------------------------------------------------------------------------------

-- Projects of customers. A deleted project stays, with who deleted it.
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
-- The export of an account, and the foreign key.
create index projects_owner_id on projects (owner_id);
-- The foreign key.
create index projects_deleted_by on projects (deleted_by) where deleted_by is not null;
-- The list of projects, with each combination of its filters.
create index projects_newest on projects (created_at desc, id desc) where deleted_at is null;
create index projects_newest_by_status on projects (status, created_at desc, id desc) where deleted_at is null;
create index projects_newest_by_category on projects (category, created_at desc, id desc) where deleted_at is null;
create index projects_newest_by_status_and_category on projects (status, category, created_at desc, id desc)
  where deleted_at is null;
-- Searches of the list: terms of three and more letters or digits.
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
-- The list of teams, with and without the filter.
create index teams_newest on teams (created_at desc, id desc);
create index teams_newest_by_status on teams (status, created_at desc, id desc);

-- The employees of a team, also former ones.
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
-- The export and the deletion of an account.
create index team_members_employee_id on team_members (employee_id);

-- Contact forms ----------------------------------------------------------------------------------------------------------

-- Contact forms of possible customers.
create table lead_requests (
  id uuid primary key default new_row_id(),
  name text not null,
  email text not null,
  phone text,
  company text,
  message text,
  created_at timestamptz not null default now()
);
-- The nightly cleanup.
create index lead_requests_created_at on lead_requests (created_at);
-- The export and the deletion of an account.
create index lead_requests_email on lead_requests (lower(email));

-- Contact forms to support.
create table support_requests (
  id uuid primary key default new_row_id(),
  email text not null,
  subject text not null,
  message text not null,
  name text,
  created_at timestamptz not null default now()
);
-- As above.
create index support_requests_created_at on support_requests (created_at);
create index support_requests_email on support_requests (lower(email));

-- Mails and audit log ----------------------------------------------------------------------------------------------------

-- Each row is an unsent mail, inserted with the change that causes it; the worker deletes it once the mail is sent.
create table mail_outbox (
  id uuid primary key default new_row_id(),
  mail jsonb not null,
  request_id text not null,
  created_at timestamptz not null default now(),
  enqueued_at timestamptz,
  failed_at timestamptz,
  failure text,
  -- The W3C trace context of the request; null without one.
  traceparent text,
  -- No foreign key: the notice of a deletion belongs to a user as well. Null for what must reach an address whatever happens to
  -- accounts: contact forms, and the notice to the former address of an account.
  user_id uuid
);
-- The deletion of an account.
create index mail_outbox_user_id on mail_outbox (user_id) where user_id is not null;
-- The worker relays the oldest first.
create index mail_outbox_to_relay on mail_outbox (created_at) where failed_at is null;
-- The nightly cleanup, and the number of failed mails in the metrics.
create index mail_outbox_failed_at on mail_outbox (failed_at) where failed_at is not null;

-- Append-only. No foreign keys: a record must outlive its actor and target.
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
-- The audit log, with each of its filters, and the nightly cleanup; by target also the limits of changes and of audited failures.
create index audit_records_newest on audit_records (created_at desc, id desc);
create index audit_records_by_actor on audit_records (actor_id, created_at desc, id desc);
create index audit_records_by_action on audit_records (action, created_at desc, id desc);
create index audit_records_by_target on audit_records (target_id, created_at desc, id desc);

-- Events for other services ----------------------------------------------------------------------------------------------

-- What happens to users, projects and teams, as other services read it (docs/decisions.md, 31).
create table events (
  -- Given before the commit, so that a later one may be committed earlier; of the events of one subject in the order of commits.
  sequence bigint generated always as identity primary key,
  event_id uuid not null default gen_random_uuid(),
  type text,
  subject uuid,
  data jsonb not null default '{}',
  occurred_at timestamptz not null default now(),
  -- Given after the commit, without gaps: the order in which services read.
  position bigint,
  -- Names the position to a reader. A database that was restored to an earlier time has not given it.
  cursor uuid,
  constraint events_numbered check ((position is null) = (cursor is null)),
  constraint events_complete check ((type is null) = (subject is null))
);
-- The reading, by position and by cursor.
create unique index events_position on events (position) where position is not null;
create unique index events_cursor on events (cursor) where cursor is not null;
-- The numbering.
create index events_unnumbered on events (sequence) where position is null;
-- The nightly cleanup.
create index events_by_age on events (occurred_at);
-- The start of the feed, so that a reader of an empty one gets a cursor too.
insert into events (position, cursor) values (1, gen_random_uuid());
