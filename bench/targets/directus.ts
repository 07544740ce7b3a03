import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { queryDatabase } from '@platform/shared/testing/query-database';
import type { Request } from '../load/load.ts';
import type { Started } from './baseline.ts';
import { installedVersion, installPeer, type PeerOptions } from './peer.ts';
import { createDatabase, findPorts, HOST, startNode } from './processes.ts';

const PASSWORD = 'Password of the benchmark';
const ADMINISTRATOR = { email: 'admin@example.com', password: PASSWORD };
/**
 * One account for each session that refreshes: Directus updates the user row, so the sessions of one user
 * would block each other.
 */
const ACCOUNTS = 50;
const JSON_HEADERS = { 'Content-Type': 'application/json' };

export type Directus = Started & {
  name: string;
  version: string;
  me: Request;
  /** Ten users and the total. */
  list: Request;
  signIns: Request[];
  /** The stored hash of a password, which begins with its parameters. */
  passwordHash: string;
  /** Creates `count` sessions. @returns the refresh request of each */
  createSessions: (count: number) => Promise<Request[]>;
};

/** The defaults of Directus, except that caches, rate limits and telemetry are off. */
const toEnvironment = (databaseUrl: string, port: number, directory: string): Record<string, string> => {
  const createFolder = (name: string): string => {
    const path = join(directory, `directus-${name}`);
    mkdirSync(path, { recursive: true });
    return path;
  };
  return {
    HOST,
    PORT: String(port),
    PUBLIC_URL: `http://${HOST}:${port}`,
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: databaseUrl,
    KEY: randomUUID(),
    SECRET: randomBytes(32).toString('hex'),
    ADMIN_EMAIL: ADMINISTRATOR.email,
    ADMIN_PASSWORD: PASSWORD,
    RATE_LIMITER_ENABLED: 'false',
    RATE_LIMITER_GLOBAL_ENABLED: 'false',
    PRESSURE_LIMITER_ENABLED: 'false',
    CACHE_ENABLED: 'false',
    TELEMETRY: 'false',
    SERVE_APP: 'false',
    WEBSOCKETS_ENABLED: 'false',
    LOG_LEVEL: 'warn',
    ACCESS_TOKEN_TTL: '1d',
    STORAGE_LOCAL_ROOT: createFolder('uploads'),
    EXTENSIONS_PATH: createFolder('extensions'),
  };
};

/** Adds as many users as in the platform's database. */
const addUsers = (databaseUrl: string, users: number): Promise<unknown> =>
  queryDatabase(
    databaseUrl,
    `insert into directus_users (id, first_name, last_name, email, status)
       select md5('user' || n)::uuid, 'First', 'Last ' || n, 'user-' || n || '@bench.example', 'active'
       from generate_series(1, $1::int) n`,
    [users],
  );

type Tokens = { access_token: string; refresh_token: string };

const createClient = (url: string) => {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { ...JSON_HEADERS, ...headers },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { data: Tokens };
  };
  const signIn = async (credentials: object): Promise<Tokens> =>
    (await post('/auth/login', credentials)).data;
  return { post, signIn };
};

const loginRequest = (credentials: object): Request => ({
  method: 'POST',
  path: '/auth/login',
  headers: JSON_HEADERS,
  body: JSON.stringify(credentials),
});

const refreshRequest = ({ refresh_token }: Tokens): Request => ({
  method: 'POST',
  path: '/auth/refresh',
  headers: JSON_HEADERS,
  body: JSON.stringify({ refresh_token, mode: 'json' }),
});

const prepare = async (
  url: string,
): Promise<Omit<Directus, 'name' | 'version' | 'passwordHash' | keyof Started>> => {
  const { post, signIn } = createClient(url);
  const { access_token: token } = await signIn(ADMINISTRATOR);
  const headers = { Authorization: `Bearer ${token}` };
  const emails = Array.from({ length: ACCOUNTS }, (_, index) => `account-${index}@example.com`);
  for (const email of emails) await post('/users', { email, password: PASSWORD }, headers);
  return {
    me: { method: 'GET', path: '/users/me', headers },
    list: { method: 'GET', path: '/users?limit=10&meta=filter_count', headers },
    signIns: emails.map((email) => loginRequest({ email, password: PASSWORD })),
    createSessions: async (count) => {
      const sessions: Request[] = [];
      for (let number = 0; number < count; number += 1) {
        const email = emails[number % ACCOUNTS];
        sessions.push(refreshRequest(await signIn({ email, password: PASSWORD })));
      }
      return sessions;
    },
  };
};

export const startDirectus = async ({
  serverUrl,
  directory,
  users,
  defer,
}: PeerOptions): Promise<Directus> => {
  const cwd = await installPeer('directus');
  const databaseUrl = await createDatabase(serverUrl, 'peer_directus');
  const [port = 0] = await findPorts(1);
  const url = `http://${HOST}:${port}`;
  const env = toEnvironment(databaseUrl, port, directory);
  const inherited = { PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_ENV: 'production' };
  const bootstrap = [join(cwd, 'node_modules/directus/cli.js'), 'bootstrap'];
  await promisify(execFile)(process.execPath, bootstrap, { cwd, env: { ...inherited, ...env } });
  const entry = join(cwd, 'node_modules/@directus/api/dist/start.js');
  const program = { name: 'directus', entry, cwd, env, directory };
  const { pid } = await startNode({ ...program, readyUrl: `${url}/server/ping` }, defer);
  await addUsers(databaseUrl, users);
  await queryDatabase(databaseUrl, 'vacuum analyze');
  const version = installedVersion(cwd, 'directus');
  const prepared = await prepare(url);
  const [stored] = await queryDatabase<{ password: string }>(
    databaseUrl,
    'select password from directus_users where password is not null limit 1',
  );
  const passwordHash = stored?.password ?? '';
  return { name: 'Directus', version, url, pid: pid() ?? 0, passwordHash, ...prepared };
};
