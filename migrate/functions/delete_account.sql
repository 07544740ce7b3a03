-- Deletes the personal data of a user. Returns the reason if nothing was deleted, otherwise null. The caller
-- has locked the user and checked the password, or an ADMIN's right. Locks sessions, then teams, in the order
-- of docs/architecture.md (*Locks*). This is a function with the rights of the owner, because auth-service and
-- admin-service may not write profiles, teams, contact forms and the outbox.
-- `cause` is who causes the events of the ended memberships, by default the owner.
drop function if exists delete_account(uuid);
create or replace function delete_account(owner uuid, cause text default null) returns text
  language plpgsql security definer set search_path = public, pg_temp as $$
  declare
    employee uuid := (select id from employee_profiles where user_id = owner);
    former record;
    left_teams uuid[];
    rejection text;
  begin
    select email, is_email_verified into former from users where id = owner;
    if exists (select 1 from user_roles where user_id = owner and role in ('ADMIN', 'OPERATOR', 'ARBITER')) then
      return 'PLATFORM_ROLE_TAKEN';
    end if;
    perform 1 from sessions where user_id = owner order by id for update;
    perform 1 from teams
      where id in (select team_id from team_members where employee_id = employee and status <> 'REMOVED')
      order by id for no key update;
    -- Meanwhile, memberships may have ended. No membership can have been added meanwhile, because adding one
    -- locks the user.
    left_teams := array(
      select team_id from team_members where employee_id = employee and status <> 'REMOVED' order by team_id);
    rejection := leave_teams(employee, left_teams);
    if rejection is not null then
      return rejection;
    end if;
    -- As shared/src/platform/audit/audit-log.ts locks the subjects of events and inserts them.
    perform pg_advisory_xact_lock(hashtextextended(team::text, 0)) from unnest(left_teams) as team;
    insert into events (type, subject, data, caused_by)
      select 'team.member-removed', team, jsonb_build_object('employeeId', employee, 'userId', owner),
        coalesce(cause, 'user:' || owner)
      from unnest(left_teams) as team;
    delete from token_records where user_id = owner;
    delete from sessions where user_id = owner;
    delete from totp_factors where user_id = owner;
    delete from passkeys where user_id = owner;
    delete from recovery_codes where user_id = owner;
    delete from identities where user_id = owner;
    delete from failed_guesses where subject = owner::text;
    delete from customer_profiles where user_id = owner;
    -- Teams refer to the profile of a member, so it is kept without personal data.
    update employee_profiles set first_name = null, last_name = null, phone = null, updated_at = now() where id = employee;
    delete from employee_profiles e where e.id = employee
      and not exists (select 1 from team_members m where m.employee_id = e.id);
    delete from user_notes where user_id = owner;
    -- The records of sign-ins stay, without the description of the device.
    update audit_records set details = details - 'userAgent'
      where target_id = owner::text and action in ('SIGNED_IN', 'SIGN_IN_FAILED') and details ? 'userAgent';
    -- In this order: the worker deletes a mail from the outbox and records it in one statement.
    delete from mail_outbox where user_id = owner;
    -- The notice to a previous address is still sent, but not kept after it was rejected.
    delete from mail_outbox where mail ->> 'userId' = owner::text and failed_at is not null;
    delete from sent_mails where user_id = owner;
    delete from service_mails where user_id = owner;
    delete from invitations where invited_by = owner;
    -- Their waiting mails, also those to and from an earlier address.
    delete from mail_outbox m using (
        select lower(email) as email, message from lead_requests where user_id = owner
        union all
        select lower(email), message from support_requests where user_id = owner
      ) form
      where form.email = lower(coalesce(m.mail -> 'request' ->> 'email', m.mail ->> 'to'))
        and form.message is not distinct from coalesce(m.mail -> 'request' ->> 'message', m.mail ->> 'message')
        and m.user_id is null and m.mail ->> 'template' in ('lead-request', 'support-request', 'contact-reply');
    delete from lead_requests where user_id = owner;
    delete from support_requests where user_id = owner;
    -- Forms that came before the address was verified belong to no account. Whoever has verified it may delete them.
    if former.is_email_verified then
      -- Somebody who signs up with an invited address and deletes the account must not end the invitation.
      delete from invitations where email = former.email;
      delete from lead_requests where lower(email) = former.email and user_id is null;
      delete from support_requests where lower(email) = former.email and user_id is null;
      delete from mail_outbox where lower(mail -> 'request' ->> 'email') = former.email;
      delete from mail_outbox where mail ->> 'template' = 'contact-reply' and lower(mail ->> 'to') = former.email;
    end if;
    update users set email = null, password_hash = 'deleted', is_email_verified = false, deleted_at = now(),
      factor_version = factor_version + 1, is_second_step_on = false, last_sign_in_at = null, time_zone = null,
      updated_at = now()
      where id = owner;
    return null;
  end
$$;
