-- Revokes all rights of the group roles. From everybody else (PUBLIC), revokes what Postgres allows by
-- default and no process needs: temporary tables, the functions of this schema, and large objects, with which
-- any login could fill the disk. Only a superuser can change the rights on Postgres's functions.
do $$
  declare
    grantees text := (
      select 'public' || coalesce(string_agg(', ' || rolname, ''), '') from pg_roles
      where rolname in ('platform_auth', 'platform_admin', 'platform_worker'));
    object text;
  begin
    for object in
      select 'table ' || c.oid::regclass from pg_class c
      where relnamespace = 'public'::regnamespace and relkind = 'r'
        and pg_has_role(relowner, 'usage')
      union all
      select 'function ' || p.oid::regprocedure from pg_proc p
      where pg_has_role(proowner, 'usage') and case pronamespace::regnamespace::text
        when 'public' then not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') -- of extensions
        when 'pg_catalog' then proname ~ '^lo(_|read$|write$)'
        else false end
    loop
      execute format('revoke all on %s from %s', object, grantees);
    end loop;
    execute format('revoke temporary on database %I from public', current_database());
  end
$$;
revoke create on schema public from public;
