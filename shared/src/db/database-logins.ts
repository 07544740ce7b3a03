import pg from 'pg';
import { databaseUrl } from '../config/addresses.ts';
import { ConfigError, type Environment, findSecret, readEnvironment } from '../config/env.ts';
import { type DatabaseProcess, FUNCTION_RIGHTS, GROUP_ROLES, TABLE_RIGHTS } from './database-rights.ts';
import { parseDatabaseUrl } from './database-url.ts';

const IGNORED_ERROR_CODES = new Set([
  ...['42710', '23505'], // the role exists; 23505 when another transaction created it concurrently
  ...['42501', '42704'], // missing privilege; 42704 when the role does not exist for that reason
]);

/** Runs a statement about roles. Ignores missing privileges and existing roles: the caller checks the result. */
const runRoleStatement = async (client: pg.Client, text: string): Promise<void> => {
  try {
    await client.query(text);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && IGNORED_ERROR_CODES.has(error.code ?? ''))) throw error;
  }
};

const findRoles = async (client: pg.Client): Promise<Set<string>> => {
  const { rows } = await client.query<{ rolname: string }>(
    'select rolname from pg_roles where rolname = any($1)',
    [Object.values(GROUP_ROLES)],
  );
  return new Set(rows.map(({ rolname }) => rolname));
};

/** Creates the missing group roles if this login may. Roles belong to the cluster, not to a database. */
export const createGroupRoles = async (client: pg.Client): Promise<void> => {
  const existing = await findRoles(client);
  for (const role of Object.values(GROUP_ROLES))
    if (!existing.has(role)) await runRoleStatement(client, `create role ${role} nologin`);
};

/** The functions of large objects, with which a login without any right could fill the disk; the platform uses none. */
const IS_OF_LARGE_OBJECTS = `pronamespace = 'pg_catalog'::regnamespace and proname ~ '^lo(_|read$|write$)'`;
/** Without these, the others have nothing to work on. */
const CREATE_LARGE_OBJECTS = 'lo_creat, lo_create, lo_from_bytea';

// Most `security definer` functions are for triggers, which need no EXECUTE privilege. Only a superuser can change the
// privileges on functions of Postgres itself.
const REVOKE_FROM_PUBLIC = `
  do $$
    declare
      own regprocedure;
    begin
      execute format('revoke temporary on database %I from public', current_database());
      for own in
        select oid::regprocedure from pg_proc
        where (pronamespace = 'public'::regnamespace and prosecdef or ${IS_OF_LARGE_OBJECTS})
          and pg_has_role(proowner, 'usage')
      loop
        execute format('revoke execute on function %s from public', own);
      end loop;
    end
  $$;
  revoke create on schema public from public;`;

const grantsOf = (process: DatabaseProcess): string[] => {
  const role = GROUP_ROLES[process];
  const tables = Object.keys(TABLE_RIGHTS).join(', ');
  const functions = Object.keys(FUNCTION_RIGHTS);
  return [
    // Includes the privileges on columns.
    `revoke all on ${tables} from ${role};`,
    `revoke all on function ${functions.join(', ')} from ${role};`,
    `grant usage on schema public to ${role};`,
    ...Object.entries(TABLE_RIGHTS).flatMap(([table, { [process]: rights }]) =>
      rights === undefined ? [] : [`grant ${rights} on ${table} to ${role};`],
    ),
    ...functions
      .filter((name) => FUNCTION_RIGHTS[name]?.includes(process))
      .map((name) => `grant execute on function ${name} to ${role};`),
  ];
};

/**
 * Grants each existing group role exactly the privileges of TABLE_RIGHTS and FUNCTION_RIGHTS, in one transaction, so that running processes
 * never see a partial change. Returns the group roles that do not exist.
 */
export const grantRights = async (client: pg.Client): Promise<string[]> => {
  const existing = await findRoles(client);
  const processes = Object.keys(GROUP_ROLES) as DatabaseProcess[];
  const present = processes.filter((process) => existing.has(GROUP_ROLES[process]));
  await client.query(['begin;', REVOKE_FROM_PUBLIC, ...present.flatMap(grantsOf), 'commit;'].join('\n'));
  return Object.values(GROUP_ROLES).filter((role) => !existing.has(role));
};

/** Whether every login can create large objects, because this one may not revoke that. */
export const allowsLargeObjects = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query(
    `select 1 from pg_proc where ${IS_OF_LARGE_OBJECTS} and proname = any($1)
       and has_function_privilege('public', oid, 'execute') limit 1`,
    [CREATE_LARGE_OBJECTS.split(', ')],
  );
  return rows.length > 0;
};

/** The variables with the database URL of each process, for programs that configure several processes. */
export const URL_VARIABLES = {
  auth: 'AUTH_DATABASE_URL',
  admin: 'ADMIN_DATABASE_URL',
  worker: 'WORKER_DATABASE_URL',
} as const satisfies Record<DatabaseProcess, string>;

const PROCESSES = Object.keys(GROUP_ROLES) as DatabaseProcess[];

/** Each URL has the name and password of the process's login. */
export type ProcessUrls = Partial<Record<DatabaseProcess, string>>;

export const readProcessUrls = (environment: Environment): ProcessUrls => {
  const urls: ProcessUrls = {};
  for (const process of PROCESSES) {
    const url = findSecret(environment, URL_VARIABLES[process]);
    if (url) urls[process] = url;
  }
  return urls;
};

export type RightsResult = {
  /** Group roles and logins that the owner lacks the privilege to create. */
  missingRoles: string[];
  /** Whether every login can still create large objects. */
  allowsLargeObjects: boolean;
};

/** A line for the operator about each right that this login may not change. */
export const describeRights = ({ missingRoles, allowsLargeObjects: isOpen }: RightsResult): string[] => [
  ...(missingRoles.length > 0
    ? [
        `This login may not create roles; have an administrator create ${missingRoles.join(', ')} and migrate again ` +
          '(docs/operations.md, "Database logins").',
      ]
    : []),
  ...(isOpen
    ? [
        'Every login can fill the disk with large objects, which only a superuser can prevent: ' +
          `revoke execute on function ${CREATE_LARGE_OBJECTS} from public`,
      ]
    : []),
];

type Login = { variable: string; groupRole: string; name: string; password: string };

const decode = (variable: string, text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new ConfigError(`${variable} must have its user name and password percent-encoded`, { cause });
  }
};

/** Names that Postgres reserves, and group roles: with the name of one, a login would give its privileges to another. */
const isReserved = (name: string): boolean =>
  /^(?:pg_.*|public|none)$/.test(name) || (Object.values(GROUP_ROLES) as string[]).includes(name);

const toLogin = (process: DatabaseProcess, url: string): Login => {
  const variable = URL_VARIABLES[process];
  readEnvironment({ [variable]: url }, { [variable]: databaseUrl() });
  const { username, password } = new URL(parseDatabaseUrl(url).urls[0]);
  if (!username || !password)
    throw new ConfigError(`${variable} must be a URL with a user name and a password`);
  const name = decode(variable, username);
  if (isReserved(name))
    throw new ConfigError(`${variable} must have another user name: "${name}" is reserved`);
  return { variable, groupRole: GROUP_ROLES[process], name, password: decode(variable, password) };
};

/** The logins of the URLs. @throws ConfigError when a URL has no login, a reserved name, or another process's name */
export const readLogins = (urls: ProcessUrls): Login[] => {
  const logins = PROCESSES.flatMap((process) => (urls[process] ? [toLogin(process, urls[process])] : []));
  if (new Set(logins.map(({ name }) => name)).size < logins.length)
    throw new ConfigError(`${Object.values(URL_VARIABLES).join(', ')} must each have their own user name`);
  return logins;
};

/**
 * A superuser, the owner and its members have every privilege, regardless of their group role.
 * @throws ConfigError when a login is one of them
 */
export const rejectOwners = async (client: pg.Client, logins: readonly Login[]): Promise<void> => {
  const { rows } = await client.query<{ rolname: string }>(
    "select rolname from pg_roles where rolname = any($1) and pg_has_role(oid, current_user, 'member')",
    [logins.map(({ name }) => name)],
  );
  const owners = new Set(rows.map(({ rolname }) => rolname));
  const problems = logins
    .filter(({ name }) => owners.has(name))
    .map(({ variable, name }) => `${variable} must not have the rights of the owner: "${name}" has them`);
  if (problems.length > 0) throw new ConfigError(problems.join('; '));
};

const isMember = async (client: pg.Client, { name, groupRole }: Login): Promise<boolean> => {
  const { rows } = await client.query(
    `select 1 from pg_roles member, pg_roles granted where member.rolname = $1 and granted.rolname = $2
       and pg_has_role(member.oid, granted.oid, 'member')`,
    [name, groupRole],
  );
  return rows.length > 0;
};

/**
 * Creates the logins if this login may, sets their passwords, and adds each to its process's group role.
 * Returns the names of logins that are not members afterwards.
 */
export const createLogins = async (client: pg.Client, logins: readonly Login[]): Promise<string[]> => {
  const missing: string[] = [];
  for (const login of logins) {
    const name = client.escapeIdentifier(login.name);
    await runRoleStatement(client, `create role ${name} login`);
    await runRoleStatement(
      client,
      `alter role ${name} login password ${client.escapeLiteral(login.password)}`,
    );
    if (!(await isMember(client, login)))
      await runRoleStatement(client, `grant ${login.groupRole} to ${name}`);
    if (!(await isMember(client, login))) missing.push(login.name);
  }
  return missing;
};
