import type { Knex } from 'knex';
import { runWithShortLock } from '../online-schema-change.ts';

/** Each statement is repeatable. */
export const config = { transaction: false };

const LANGUAGE = `alter table users add column if not exists language text not null default 'en'`;

const FAILED_GUESSES = `
  -- Consecutive failures at a secret of an account; a success deletes the row.
  create table if not exists failed_guesses (
    user_id uuid not null references users on delete cascade,
    secret text not null check (secret in ('password', 'second-factor')),
    failures int not null,
    paused_until timestamptz,
    primary key (user_id, secret)
  );`;

// As in 20261204-second-factor, and erases what was sent from, or waits to be sent to, a verified address. Forms from an
// unverified one may be another person's.
const DELETE_ACCOUNT = `
  create or replace function delete_account(owner uuid) returns text language plpgsql
    security definer set search_path = public, pg_temp as $$
      declare
        employee uuid := (select id from employee_profiles where user_id = owner);
        former text := (select email from users where id = owner);
        is_verified bool := (select is_email_verified from users where id = owner);
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
        delete from failed_guesses where user_id = owner;
        update team_members set status = 'REMOVED', removed_at = now() where employee_id = employee and status <> 'REMOVED';
        delete from customer_profiles where user_id = owner;
        -- Teams refer to the profile of a member, so it stays without personal data.
        update employee_profiles set first_name = null, last_name = null, phone = null, updated_at = now() where id = employee;
        delete from employee_profiles e where e.id = employee
          and not exists (select 1 from team_members m where m.employee_id = e.id);
        delete from mail_outbox where mail ->> 'to' = former;
        if is_verified then
          delete from lead_requests where lower(email) = former;
          delete from support_requests where lower(email) = former;
          delete from mail_outbox where lower(mail -> 'request' ->> 'email') = former;
        end if;
        update users set email = null, password_hash = 'deleted', is_email_verified = false, deleted_at = now(),
          factor_version = factor_version + 1, updated_at = now() where id = owner;
        return null;
      end
    $$;`;

/**
 * From now on the token records have hashes of the token ids, so the sessions of the former release end: their ids match no
 * hash, and the nightly cleanup deletes them.
 */
export const up = async (db: Knex): Promise<void> => {
  for (const statement of [LANGUAGE, FAILED_GUESSES, DELETE_ACCOUNT]) await runWithShortLock(db, statement);
};

export const down = (db: Knex): Promise<void> =>
  runWithShortLock(db, 'drop table failed_guesses; alter table users drop column language;');
