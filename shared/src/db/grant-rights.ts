import pg from 'pg';
import { type DatabaseProcess, GROUP_ROLES, TABLE_RIGHTS } from './database-rights.ts';

const TOLERATED = new Set([
  ...['42710', '23505'], // the role exists; 23505 when another transaction has just created it
  ...['42501', '42704'], // this login may not; 42704 when the role is missing for that reason
]);

/** Runs a statement about roles. What this login may not do, or is done already, is left: the caller looks at the result. */
export const tryForRole = async (client: pg.Client, text: string): Promise<void> => {
  try {
    await client.query(text);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && TOLERATED.has(error.code ?? ''))) throw error;
  }
};

const findRoles = async (client: pg.Client): Promise<Set<string>> => {
  const { rows } = await client.query<{ rolname: string }>(
    'select rolname from pg_roles where rolname = any($1)',
    [Object.values(GROUP_ROLES)],
  );
  return new Set(rows.map(({ rolname }) => rolname));
};

/** Creates the missing group roles where this login may. Roles belong to the cluster, not to one database. */
export const createGroupRoles = async (client: pg.Client): Promise<void> => {
  const existing = await findRoles(client);
  for (const role of Object.values(GROUP_ROLES))
    if (!existing.has(role)) await tryForRole(client, `create role ${role} nologin`);
};

// Functions that run with their owner's rights are called by triggers alone, and a trigger asks for no right to call.
const REVOKE_FROM_PUBLIC = `
  do $$
    declare
      own regprocedure;
    begin
      execute format('revoke temporary on database %I from public', current_database());
      for own in
        select oid::regprocedure from pg_proc
        where pronamespace = 'public'::regnamespace and prosecdef and pg_has_role(proowner, 'usage')
      loop
        execute format('revoke execute on function %s from public', own);
      end loop;
    end
  $$;
  revoke create on schema public from public;`;

const grantsOf = (process: DatabaseProcess): string[] => {
  const role = GROUP_ROLES[process];
  const tables = Object.keys(TABLE_RIGHTS).join(', ');
  return [
    // Of a table, this takes the rights on its columns as well.
    `revoke all on ${tables} from ${role};`,
    `grant usage on schema public to ${role};`,
    ...Object.entries(TABLE_RIGHTS).flatMap(([table, { [process]: rights }]) =>
      rights === undefined ? [] : [`grant ${rights} on ${table} to ${role};`],
    ),
  ];
};

/**
 * Gives each group role that exists the rights of TABLE_RIGHTS and no others, in one transaction: running processes see
 * the rights from before or those from after. Returns the group roles that do not exist.
 */
export const grantRights = async (client: pg.Client): Promise<string[]> => {
  const existing = await findRoles(client);
  const processes = Object.keys(GROUP_ROLES) as DatabaseProcess[];
  const present = processes.filter((process) => existing.has(GROUP_ROLES[process]));
  await client.query(['begin;', REVOKE_FROM_PUBLIC, ...present.flatMap(grantsOf), 'commit;'].join('\n'));
  return Object.values(GROUP_ROLES).filter((role) => !existing.has(role));
};
