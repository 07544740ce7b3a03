-- Stores the counts of at most 24 past hours, so that it ends well before the statement timeout, and returns for how
-- many. An hour is counted an hour after its end, when every transaction that began in it has ended. Each condition
-- has an index entry in audit_records_by_action. Of two workers that do so at once, one stores the counts.
-- This is a function with the rights of the owner, because mailer-worker may not read the audit log.
create or replace function store_hourly_counts() returns int language sql security definer set search_path = public, pg_temp as $$
  with hours as (
    select hour from generate_series(
      greatest(
        (select max(hour) + interval '1 hour' from hourly_counts),
        date_trunc('day', now(), 'UTC') - interval '90 days'),
      date_trunc('hour', now(), 'UTC') - interval '2 hours',
      interval '1 hour') hour
    order by hour limit 24
  ), stored as (
    insert into hourly_counts (hour, customers, employees, sign_ins, failed_sign_ins)
    select hour,
      (select count(*) from audit_records where action = 'ACCOUNT_REGISTERED' and details ->> 'role' = 'CUSTOMER'
        and created_at >= hour and created_at < hour + interval '1 hour'),
      (select count(*) from audit_records where action = 'ACCOUNT_REGISTERED' and details ->> 'role' = 'EMPLOYEE'
        and created_at >= hour and created_at < hour + interval '1 hour'),
      (select count(*) from audit_records where action = 'SIGNED_IN'
        and created_at >= hour and created_at < hour + interval '1 hour'),
      (select count(*) from audit_records where action = 'SIGN_IN_FAILED'
        and created_at >= hour and created_at < hour + interval '1 hour')
    from hours
    on conflict do nothing
    returning 1
  )
  select count(*)::int from stored
$$;
