import type { Knex } from 'knex';
import pg from 'pg';
import { listSqlFiles, runSqlFile } from './sql-files.ts';

/**
 * The group role of each process that uses the database. The login of a process is a member of its group
 * role.
 */
export const GROUP_ROLES = {
  auth: 'platform_auth',
  admin: 'platform_admin',
  worker: 'platform_worker',
} as const;

export type DatabaseProcess = keyof typeof GROUP_ROLES;

const IGNORED_ERROR_CODES = new Set([
  ...['42710', '23505'], // the role exists; 23505 when another transaction created it concurrently
  ...['42501', '42704'], // missing privilege; 42704 when the role does not exist for that reason
]);

/**
 * Runs a statement about roles. It ignores missing rights and existing roles, because the caller checks the
 * result.
 */
export const runRoleStatement = async (client: pg.Client, text: string): Promise<void> => {
  try {
    await client.query(text);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && IGNORED_ERROR_CODES.has(error.code ?? ''))) throw error;
  }
};

export const createGroupRoles = async (client: pg.Client): Promise<string[]> => {
  const names = Object.values(GROUP_ROLES);
  const find = async (): Promise<string[]> => {
    const { rows } = await client.query('select rolname from pg_roles where rolname = any($1)', [names]);
    return rows.map(({ rolname }) => rolname);
  };
  const existing = await find();
  for (const name of names)
    if (!existing.includes(name)) await runRoleStatement(client, `create role ${name} nologin`);
  return await find();
};

/**
 * Replaces the functions and grants each group role exactly the rights in its file. It uses one transaction,
 * so that running processes never see a part of the change.
 */
export const applyFunctionsAndRights = (db: Knex, groupRoles: readonly string[]): Promise<void> =>
  db.transaction(async (transaction) => {
    for (const path of await listSqlFiles('functions')) await runSqlFile(transaction, path);
    await runSqlFile(transaction, 'grants/revoke.sql');
    for (const role of groupRoles) await runSqlFile(transaction, `grants/${role}.sql`);
  });

/** Without these functions, no large object can be created. */
const CREATE_LARGE_OBJECTS = 'lo_creat, lo_create, lo_from_bytea';

const allowsLargeObjects = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query(
    `select 1 from pg_proc where pronamespace = 'pg_catalog'::regnamespace and proname = any($1)
       and has_function_privilege('public', oid, 'execute')`,
    [CREATE_LARGE_OBJECTS.split(', ')],
  );
  return rows.length > 0;
};

/** Returns a line for the operator about each right that this login may not change. */
export const describeMissingRights = async (
  client: pg.Client,
  groupRoles: readonly string[],
  missingLogins: readonly string[],
): Promise<string[]> => {
  const missing = Object.values(GROUP_ROLES).filter((role) => !groupRoles.includes(role));
  const notes: string[] = [];
  if (missing.length + missingLogins.length > 0)
    notes.push(
      `This login may not create roles; ask an administrator to create ${[...missing, ...missingLogins].join(', ')} and migrate ` +
        'again (docs/deployment.md, "Database logins").',
    );
  if (await allowsLargeObjects(client))
    notes.push(
      'Every login can fill the disk with large objects, which only a superuser can prevent: ' +
        `revoke execute on function ${CREATE_LARGE_OBJECTS} from public`,
    );
  return notes;
};
