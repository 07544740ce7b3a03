-- Upgrades a database of release 0.1.0 to baseline.sql. `npm run migrate` runs each statement on its own with a short lock_timeout,
-- again while another transaction holds the lock, so that none blocks writers for longer than milliseconds. Each is repeatable:
-- after an interruption, the next run starts again. The processes of that release must not run.

alter table users add column if not exists language text not null default 'en';

create table if not exists failed_guesses (
  user_id uuid not null references users on delete cascade,
  secret text not null check (secret in ('password', 'second-factor')),
  failures int not null,
  paused_until timestamptz,
  primary key (user_id, secret)
);

-- Validating the check blocks no writers, and with it NOT NULL needs no scan under the exclusive lock.
alter table user_roles drop constraint if exists user_created_at_present,
  add constraint user_created_at_present check (user_created_at is not null) not valid;
alter table user_roles validate constraint user_created_at_present;
alter table user_roles alter column user_created_at set not null;
alter table user_roles drop constraint user_created_at_present;

-- The triggers, with their functions.
drop function if exists count_new_users, count_removed_users, forget_users, count_blocked_user, remove_roles_first,
  copy_user_to_roles cascade;
drop function if exists count_new_user_roles, count_removed_user_roles, forget_user_roles, count_changed_role,
  copy_user_to_role cascade;
drop function if exists count_new_projects, count_removed_projects, forget_projects, count_moved_project cascade;
drop function if exists count_new_teams, count_removed_teams, forget_teams, count_moved_team cascade;
drop function if exists count_new_audit_records, count_removed_audit_records, forget_audit_records, discard_audit_day,
  discard_audit_days cascade;

-- The totals of lists, and the copies in user_roles.
drop function if exists repair_totals, repair_audit_day_totals, store_next_audit_day_totals, store_audit_day_totals,
  count_audit_day;
drop table if exists user_totals, project_totals, team_totals, audit_totals, audit_day_totals, audit_days;
alter table user_roles drop column if exists is_blocked, drop column if exists user_email;

-- The index of one and two letters.
drop index concurrently if exists users_email_grams;
drop index concurrently if exists projects_text_grams;
drop function if exists short_grams;

-- Functions that are TypeScript now.
drop function if exists open_session(uuid, text, text, text, uuid, timestamptz, uuid, timestamptz, text),
  open_session(uuid, text, text, text, uuid, timestamptz, uuid, timestamptz, text, int, text[]), max_scanned_bytes;

-- From now on Knex takes baseline.sql for done.
with former as (delete from knex_migrations)
insert into knex_migrations (name, batch, migration_time) values ('0001-baseline', 1, now());
