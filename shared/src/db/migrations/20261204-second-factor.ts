import type { Knex } from 'knex';
import { createIndexConcurrently, runWithShortLock } from '../online-schema-change.ts';
import { OPEN_SESSION as OPEN_SESSION_OF_TOKENS } from './20261126-open-session.ts';
import { OPEN_SESSION as OPEN_SESSION_OF_NETWORKS } from './20261128-session-networks.ts';

/** One short transaction for each large table, so that none waits for the locks of all. */
export const config = { transaction: false };

// The checks hold for all existing rows, so that validating them later needs no lock against writes.
const USERS = `
  alter table users
    add column if not exists factor_version int not null default 0,
    add column if not exists deleted_at timestamptz,
    alter column email drop not null;
  alter table users drop constraint if exists users_email_until_deleted;
  alter table users add constraint users_email_until_deleted check ((email is null) = (deleted_at is not null)) not valid;`;

const TOKEN_RECORDS = `
  alter table token_records add column if not exists methods text[] not null default '{password}';`;

const FACTORS = `
  create table if not exists totp_factors (
    user_id uuid primary key references users on delete cascade,
    sealed_secret text not null,
    enabled_at timestamptz, -- null until the first code is confirmed
    last_used_step bigint, -- each code is accepted once
    created_at timestamptz not null default now()
  );
  create table if not exists passkeys (
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
  create index if not exists passkeys_user_id on passkeys (user_id);
  create table if not exists recovery_codes (
    user_id uuid not null references users on delete cascade,
    code_hash text not null,
    primary key (user_id, code_hash)
  );`;

// As in 20261126-open-session, with the networks of 20261128-session-networks. The previous release knows no factors: its
// sign-ins fail for a user whose factors have ever changed, so that a password alone never opens a session.
const OPEN_SESSION = `
  create or replace function open_session(
    owner uuid, checked_hash text, device text, address text,
    access_id uuid, access_end timestamptz, refresh_id uuid, refresh_end timestamptz, client_network text,
    checked_factor_version int, sign_in_methods text[]
  ) returns table (
    id uuid, user_id uuid, fingerprint text, ip text, created_at timestamptz, updated_at timestamptz, is_new_device boolean
  ) language plpgsql as $$
    #variable_conflict use_column
    declare
      old_token uuid;
      new_token uuid;
      opened sessions;
      is_inserted boolean;
    begin
      perform 1 from users u where u.id = owner and u.password_hash = checked_hash
        and u.factor_version = checked_factor_version and not u.is_blocked for no key update;
      if not found then
        return;
      end if;
      select s.token_id into old_token from sessions s where s.user_id = owner and s.fingerprint = device;
      is_inserted := not found;
      insert into token_records
          (user_id, access_token_id, access_token_expired_at, refresh_token_id, refresh_token_expired_at, methods)
        values (owner, access_id, access_end, refresh_id, refresh_end, sign_in_methods) returning id into new_token;
      insert into sessions as s (user_id, token_id, fingerprint, ip) values (owner, new_token, device, address)
        on conflict (user_id, fingerprint) do update
          set token_id = excluded.token_id, ip = excluded.ip, updated_at = now()
        returning s.* into opened;
      delete from token_records t where t.id = old_token;
      insert into session_networks (session_id, network) values (opened.id, client_network)
        on conflict (session_id, network) do update set last_seen = now();
      delete from session_networks n where n.session_id = opened.id and n.network in (
        select o.network from session_networks o where o.session_id = opened.id order by o.last_seen desc offset 20
      );
      return query select opened.id, opened.user_id, opened.fingerprint, opened.ip, opened.created_at, opened.updated_at,
        is_inserted and exists (select 1 from sessions s where s.user_id = owner and s.id <> opened.id);
    end
  $$;
  create or replace function open_session(
    owner uuid, checked_hash text, device text, address text,
    access_id uuid, access_end timestamptz, refresh_id uuid, refresh_end timestamptz, client_network text
  ) returns setof sessions language plpgsql as $$
    begin
      perform 1 from open_session(owner, checked_hash, device, address, access_id, access_end, refresh_id, refresh_end,
        client_network, 0, '{password}');
      if found then
        return query select * from sessions where user_id = owner and fingerprint = device;
      end if;
    end
  $$;
  drop function if exists open_session(uuid, text, text, text, uuid, timestamptz, uuid, timestamptz);`;

// The caller has locked the user and checked the password. Locks in the order of sessions-store.ts of auth-service, then
// the teams, as the administrator service does before a member leaves.
const DELETE_ACCOUNT = `
  create or replace function delete_account(owner uuid) returns text language plpgsql
    security definer set search_path = public, pg_temp as $$
      declare
        employee uuid := (select id from employee_profiles where user_id = owner);
      begin
        if exists (select 1 from user_roles where user_id = owner and role in ('ADMIN', 'OPERATOR', 'ARBITER')) then
          return 'PLATFORM_ROLE_TAKEN';
        end if;
        perform 1 from sessions where user_id = owner order by id for update;
        perform 1 from teams where id in (select team_id from team_members where employee_id = employee)
          order by id for no key update;
        if exists (
          select 1 from team_members m
          where m.employee_id = employee and m.role = 'ADMINISTRATOR' and m.status = 'ACTIVE' and not exists (
            select 1 from team_members other where other.team_id = m.team_id and other.employee_id <> employee
              and other.role = 'ADMINISTRATOR' and other.status = 'ACTIVE'
          )
        ) then
          return 'LAST_TEAM_ADMINISTRATOR';
        end if;
        delete from token_records where user_id = owner;
        delete from sessions where user_id = owner;
        delete from totp_factors where user_id = owner;
        delete from passkeys where user_id = owner;
        delete from recovery_codes where user_id = owner;
        update team_members set status = 'REMOVED', removed_at = now() where employee_id = employee and status <> 'REMOVED';
        delete from customer_profiles where user_id = owner;
        -- Teams refer to the profile of a member, so it stays without personal data.
        update employee_profiles set first_name = null, last_name = null, phone = null, updated_at = now() where id = employee;
        delete from employee_profiles e where e.id = employee
          and not exists (select 1 from team_members m where m.employee_id = e.id);
        update users set email = null, password_hash = 'deleted', is_email_verified = false, deleted_at = now(),
          factor_version = factor_version + 1, updated_at = now() where id = owner;
        return null;
      end
    $$;`;

const time = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const list = (rows: string): string =>
  `coalesce((select jsonb_agg(to_jsonb(r) order by r."createdAt") from (${rows}) r), '[]')`;

const profile = (
  table: string,
): string => `(select jsonb_build_object('id', id, 'userId', user_id, 'firstName', first_name,
  'lastName', last_name, 'phone', phone, 'createdAt', ${time('created_at')}, 'updatedAt', ${time('updated_at')})
  from ${table} where user_id = u.id)`;

const SESSIONS = `select s.id, s.fingerprint, s.ip, t.methods,
    array(select n.network from session_networks n where n.session_id = s.id order by n.last_seen desc) as networks,
    ${time('s.created_at')} as "createdAt", ${time('s.updated_at')} as "updatedAt"
  from sessions s left join token_records t on t.id = s.token_id where s.user_id = u.id`;

const PASSKEYS = `select id, name, ${time('created_at')} as "createdAt", ${time('last_used_at')} as "lastUsedAt"
  from passkeys where user_id = u.id`;

const PROJECTS = `select id, title, description, category, status, contracting_stage as "contractingStage",
    ${time('created_at')} as "createdAt", ${time('updated_at')} as "updatedAt", ${time('deleted_at')} as "deletedAt"
  from projects where owner_id = u.id`;

const TEAMS = `coalesce((select jsonb_agg(jsonb_build_object('teamId', t.id, 'name', t.name, 'role', m.role, 'status', m.status,
    'joinedAt', ${time('m.created_at')}, 'removedAt', ${time('m.removed_at')}) order by m.created_at)
  from team_members m join teams t on t.id = m.team_id join employee_profiles e on e.id = m.employee_id
  where e.user_id = u.id), '[]')`;

// Anybody can submit a form with any e-mail: only a verified one suggests that the forms are the user's. Without the client
// address, which may be a stranger's all the same.
const CONTACT_FORMS = `
  select 'lead' as kind, id, name, email, phone, company, null as subject, message, ${time('created_at')} as "createdAt"
    from lead_requests where u.is_email_verified and lower(email) = u.email
  union all
  select 'support', id, name, email, null, null, subject, message, ${time('created_at')}
    from support_requests where u.is_email_verified and lower(email) = u.email`;

// The address of another actor, such as an administrator, is not the user's data.
const AUDIT_RECORDS = `
  select id, action, actor_id as "actorId", target_type as "targetType", target_id as "targetId",
    case when actor_id = u.id then address end as address, details, ${time('created_at')} as "createdAt"
  from audit_records where actor_id = u.id or (target_type = 'USER' and target_id = u.id::text)`;

const EXPORT_ACCOUNT = `
  create or replace function export_account(owner uuid) returns jsonb language sql stable
    security definer set search_path = public, pg_temp as $$
      select jsonb_build_object(
        'exportedAt', ${time('now()')},
        'user', jsonb_build_object('id', u.id, 'email', u.email, 'isEmailVerified', u.is_email_verified,
          'isBlocked', u.is_blocked, 'roles', array(select role from user_roles where user_id = u.id order by role),
          'createdAt', ${time('u.created_at')}, 'updatedAt', ${time('u.updated_at')}),
        'profiles', jsonb_build_object('customer', ${profile('customer_profiles')}, 'employee', ${profile('employee_profiles')}),
        'sessions', ${list(SESSIONS)},
        'secondFactor', jsonb_build_object(
          'totp', (select jsonb_build_object('enabledAt', ${time('enabled_at')}) from totp_factors
            where user_id = u.id and enabled_at is not null),
          'passkeys', ${list(PASSKEYS)},
          'recoveryCodesLeft', (select count(*) from recovery_codes where user_id = u.id)),
        'projects', ${list(PROJECTS)},
        'teams', ${TEAMS},
        'contactForms', ${list(CONTACT_FORMS)},
        'auditRecords', ${list(AUDIT_RECORDS)}
      ) from users u where u.id = owner
    $$;`;

const CONTACT_TABLES = ['lead_requests', 'support_requests'];

/**
 * Second factors and passkeys, and the change, export and deletion of an account. Each step is repeatable, so that an
 * interrupted migration continues where it ended.
 */
export const up = async (db: Knex): Promise<void> => {
  await runWithShortLock(db, USERS);
  await db.raw('alter table users validate constraint users_email_until_deleted');
  await runWithShortLock(db, TOKEN_RECORDS);
  await runWithShortLock(db, FACTORS);
  await runWithShortLock(db, OPEN_SESSION);
  for (const table of CONTACT_TABLES)
    await createIndexConcurrently(db, `${table}_email`, `${table} (lower(email))`);
  await runWithShortLock(db, DELETE_ACCOUNT + EXPORT_ACCOUNT);
};

const DROP_OPEN_SESSION = `
  drop function open_session(uuid, text, text, text, uuid, timestamptz, uuid, timestamptz, text, int, text[]);
  drop function open_session(uuid, text, text, text, uuid, timestamptz, uuid, timestamptz, text);`;

/** Accounts lose their factors; a deleted account gets an address that nobody has. */
export const down = async (db: Knex): Promise<void> => {
  await runWithShortLock(db, DROP_OPEN_SESSION + OPEN_SESSION_OF_TOKENS + OPEN_SESSION_OF_NETWORKS);
  await runWithShortLock(
    db,
    `drop function export_account, delete_account;
    drop table recovery_codes, passkeys, totp_factors;
    drop index lead_requests_email, support_requests_email;
    alter table token_records drop column methods;
    alter table users drop constraint users_email_until_deleted;
    update users set email = 'deleted-' || id || '@invalid' where email is null;
    alter table users alter column email set not null, drop column deleted_at, drop column factor_version;`,
  );
};
