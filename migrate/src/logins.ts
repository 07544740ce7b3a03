import { databaseUrl } from '@platform/shared/config/addresses';
import { ConfigError, type Environment, findSecret, readEnvironment } from '@platform/shared/config/env';
import { parseDatabaseUrl } from '@platform/shared/network/database-url';
import type pg from 'pg';
import { type DatabaseProcess, GROUP_ROLES, runRoleStatement } from './rights.ts';

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

type Login = { variable: string; groupRole: string; name: string; password: string };

/**
 * Names that Postgres reserves, and the group roles. A login with the name of a group role would give its
 * rights to others.
 */
const isReserved = (name: string): boolean =>
  /^(?:pg_.*|public|none)$/.test(name) || (Object.values(GROUP_ROLES) as string[]).includes(name);

const toLogin = (process: DatabaseProcess, url: string): Login => {
  const variable = URL_VARIABLES[process];
  readEnvironment({ [variable]: url }, { [variable]: databaseUrl() });
  const { username, password } = new URL(parseDatabaseUrl(url).urls[0]);
  if (!username || !password)
    throw new ConfigError(`${variable} must be a URL with a user name and a password`);
  const name = decodeURIComponent(username);
  if (isReserved(name))
    throw new ConfigError(`${variable} must have a different user name: "${name}" is reserved`);
  return { variable, groupRole: GROUP_ROLES[process], name, password: decodeURIComponent(password) };
};

/**
 * Reads the logins of the URLs. @throws ConfigError if a URL has no login, a reserved name, or another
 * process's name
 */
export const readLogins = (urls: ProcessUrls): Login[] => {
  const logins = PROCESSES.flatMap((process) => (urls[process] ? [toLogin(process, urls[process])] : []));
  if (new Set(logins.map(({ name }) => name)).size < logins.length)
    throw new ConfigError(`${Object.values(URL_VARIABLES).join(', ')} must have different user names`);
  return logins;
};

/**
 * A superuser, the owner and its members have all rights, regardless of their group role.
 * @throws ConfigError if a login is one of them
 */
export const rejectOwners = async (client: pg.Client, logins: readonly Login[]): Promise<void> => {
  const { rows } = await client.query<{ rolname: string }>(
    "select rolname from pg_roles where rolname = any($1) and pg_has_role(oid, current_user, 'member')",
    [logins.map(({ name }) => name)],
  );
  const owners = rows.map(({ rolname }) => rolname);
  const problems = logins
    .filter(({ name }) => owners.includes(name))
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
 * Creates the logins if this login is allowed to, sets their passwords, and adds each to the group role of
 * its process. Returns the names of the logins that are not members afterwards.
 */
export const createLogins = async (client: pg.Client, logins: readonly Login[]): Promise<string[]> => {
  const missing: string[] = [];
  for (const login of logins) {
    const name = client.escapeIdentifier(login.name);
    const password = client.escapeLiteral(login.password);
    await runRoleStatement(client, `create role ${name} login`);
    await runRoleStatement(client, `alter role ${name} login password ${password}`);
    if (!(await isMember(client, login)))
      await runRoleStatement(client, `grant ${login.groupRole} to ${name}`);
    if (!(await isMember(client, login))) missing.push(login.name);
  }
  return missing;
};
