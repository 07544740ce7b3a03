import type { Knex } from 'knex';

/** The trigger functions of the schema, without those of extensions. */
const eachTriggerFunction = (change: string): string => `
  do $$
    declare
      own regprocedure;
    begin
      for own in
        select p.oid::regprocedure from pg_proc p
        where p.pronamespace = 'public'::regnamespace and p.prorettype = 'trigger'::regtype
          and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      loop
        execute format('alter function %s ${change}', own);
      end loop;
    end
  $$;`;

/**
 * Only triggers may write the list totals, so they run with the owner's privileges. The fixed search_path prevents a caller
 * from shadowing a table with one of the same name.
 */
export const up = (db: Knex): Promise<void> =>
  db.schema.raw(eachTriggerFunction('security definer set search_path = public, pg_temp'));

export const down = (db: Knex): Promise<void> =>
  db.schema.raw(eachTriggerFunction('security invoker reset search_path'));
