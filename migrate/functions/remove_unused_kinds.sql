-- Removes the kinds of a user that own nothing: a customer without projects and an employee without
-- memberships, where deleted projects and former memberships count. Returns the removed kinds. The caller has
-- locked the user, so that nothing is added meanwhile. This is a function with the rights of the owner,
-- because auth-service may neither delete profiles and roles nor read projects and members.
create or replace function remove_unused_kinds(owner uuid) returns text[]
  language plpgsql security definer set search_path = public, pg_temp as $$
  declare
    removed text[] := '{}';
  begin
    delete from customer_profiles c where c.user_id = owner
      and not exists (select from projects p where p.owner_id = owner);
    if found then
      removed := removed || 'customer'::text;
    end if;
    delete from employee_profiles e where e.user_id = owner
      and not exists (select from team_members m where m.employee_id = e.id);
    if found then
      removed := removed || 'employee'::text;
    end if;
    delete from user_roles where user_id = owner and lower(role) = any(removed);
    return removed;
  end
$$;
