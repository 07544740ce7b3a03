-- Removes an employee from teams, which the caller has locked. Returns the reason if nothing was removed,
-- otherwise null. This is a function, because the deletion of an account does it too.
create or replace function leave_teams(employee uuid, left_teams uuid[]) returns text
  language plpgsql as $$
  begin
    if exists (select from unnest(left_teams) as team where is_last_administrator(team, employee)) then
      return 'LAST_TEAM_ADMINISTRATOR';
    end if;
    update team_members set status = 'REMOVED', removed_at = now()
      where team_id = any(left_teams) and employee_id = employee and status <> 'REMOVED';
    return null;
  end
$$;
