import type { Knex } from 'knex';

const PROFILE_COLUMNS = `
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null unique references users on delete cascade,
  first_name text check (char_length(first_name) between 1 and 100),
  last_name text check (char_length(last_name) between 1 and 100),
  phone text check (char_length(phone) between 1 and 32),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()`;

export const up = (db: Knex): Promise<void> =>
  db.schema.raw(`
    create table users (
      id uuid primary key default gen_random_uuid(),
      email text not null constraint users_email_key unique
        check (email = lower(email) and char_length(email) between 3 and 254),
      password_hash text not null,
      is_email_verified boolean not null default false,
      is_blocked boolean not null default false,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );

    create table user_roles (
      user_id uuid not null references users on delete cascade,
      role text not null check (role in ('CUSTOMER', 'EMPLOYEE', 'ADMIN', 'OPERATOR', 'ARBITER')),
      created_at timestamptz not null default now(),
      primary key (user_id, role)
    );
    create unique index user_roles_one_platform_role on user_roles (user_id)
      where role in ('ADMIN', 'OPERATOR', 'ARBITER');

    create table customer_profiles (${PROFILE_COLUMNS});
    create table employee_profiles (${PROFILE_COLUMNS});

    create table token_records (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      access_token_id uuid not null unique,
      access_token_expired_at timestamptz not null,
      refresh_token_id uuid not null unique,
      refresh_token_expired_at timestamptz not null,
      created_at timestamptz not null default now()
    );
    create index token_records_user_id on token_records (user_id);
    create index token_records_refresh_token_expired_at on token_records (refresh_token_expired_at);

    create table sessions (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      token_id uuid unique references token_records on delete set null,
      fingerprint text not null check (char_length(fingerprint) between 1 and 256),
      ip text not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (user_id, fingerprint)
    );

    -- The previous refresh tokens of a token record, to distinguish a reused token from an unknown one.
    create table superseded_refresh_tokens (
      refresh_token_id uuid primary key,
      token_id uuid not null references token_records on delete cascade,
      replaced_by uuid not null,
      superseded_at timestamptz not null default now(),
      expired_at timestamptz not null
    );
    create index superseded_refresh_tokens_token_id on superseded_refresh_tokens (token_id);
    create index superseded_refresh_tokens_expired_at on superseded_refresh_tokens (expired_at);
  `);

export const down = (db: Knex): Promise<void> =>
  db.schema.raw(`
    drop table superseded_refresh_tokens, sessions, token_records, employee_profiles, customer_profiles, user_roles, users;
  `);
