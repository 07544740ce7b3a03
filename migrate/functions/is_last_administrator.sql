-- Whether the team would be left without an active administrator if the employee were none any more. The
-- caller has locked the team. This is a function, because the deletion of an account applies the rule too.
create or replace function is_last_administrator(team uuid, employee uuid) returns boolean
  language sql stable as $$
  select exists (
    select from team_members m
    where m.team_id = team and m.employee_id = employee and m.role = 'ADMINISTRATOR' and m.status = 'ACTIVE'
  ) and not exists (
    select from team_members m
    where m.team_id = team and m.employee_id <> employee and m.role = 'ADMINISTRATOR' and m.status = 'ACTIVE'
  )
$$;
