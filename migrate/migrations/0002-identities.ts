import type { Knex } from 'knex';
import { createIndexConcurrently, runWithShortLock } from '../src/online-schema-change.ts';

// Sign-in with OpenID Connect.

export const config = { transaction: false };

const IDENTITIES = `
  -- Accounts at providers of OpenID Connect that sign in to a user's account.
  create table if not exists identities (
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
  create index if not exists identities_user_id on identities (user_id);`;

// Of sessions that a provider opened, for its back-channel logout: issuer, `sub` and `sid` of the ID token.
const PROVIDER_SESSIONS = `
  alter table token_records
    add column if not exists provider_issuer text,
    add column if not exists provider_subject text,
    add column if not exists provider_session text`;

export const up = async (db: Knex): Promise<void> => {
  await runWithShortLock(db, IDENTITIES);
  await runWithShortLock(db, PROVIDER_SESSIONS);
  await createIndexConcurrently(
    db,
    'token_records_provider_subject',
    'token_records (provider_issuer, provider_subject) where provider_subject is not null',
  );
  await createIndexConcurrently(
    db,
    'token_records_provider_session',
    'token_records (provider_issuer, provider_session) where provider_session is not null',
  );
};
