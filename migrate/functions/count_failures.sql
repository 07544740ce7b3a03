-- Counts what `addFailure` of shared/src/platform/audit/audit-log.ts limits: the records of a failure in the last
-- hour, up to a maximum. The function has the rights of the owner, because auth-service may not read the details of the audit log.
create or replace function count_failures(failure text, target text, reason text, maximum int) returns bigint
  language plpgsql stable security definer set search_path = public, pg_temp as $$
  begin
    -- An index finds the records of a target, and those without one; `is not distinct from` would use none.
    if target is null then
      return (select count(*) from (
        select from audit_records r where r.target_id is null and r.action = failure
          and r.created_at > now() - interval '1 hour' and r.details ->> 'reason' is not distinct from reason limit maximum
      ) recent);
    end if;
    return (select count(*) from (
      select from audit_records r where r.target_id = target and r.action = failure
        and r.created_at > now() - interval '1 hour' and r.details ->> 'reason' is not distinct from reason limit maximum
    ) recent);
  end
$$;
