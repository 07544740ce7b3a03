import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { queryDatabase } from '@platform/shared/testing/query-database';
import type { Request } from '../load/load.ts';
import type { Started } from './baseline.ts';
import { installedVersion, installPeer, type PeerOptions } from './peer.ts';
import { createDatabase, findPorts, HOST, startNode } from './processes.ts';

const PASSWORD = 'Password of the benchmark';
const ACCOUNTS = 8;

export type BetterAuth = Started & { name: string; version: string; me: Request; signIns: Request[] };

const JSON_HEADERS = { 'Content-Type': 'application/json' };

/** Adds as many users as in the platform's database. The accounts that sign in are added to them. */
const addUsers = (databaseUrl: string, users: number): Promise<unknown> =>
  queryDatabase(
    databaseUrl,
    `insert into "user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
       select md5('user' || n), 'User ' || n, 'user-' || n || '@bench.example', true, now(), now()
       from generate_series(1, $1::int) n`,
    [users],
  );

/** better-auth rejects a POST without a known origin. */
const originHeaders = (url: string): Record<string, string> => ({ ...JSON_HEADERS, Origin: url });

const post = (url: string, path: string, body: object): Promise<Response> =>
  fetch(url + path, { method: 'POST', headers: originHeaders(url), body: JSON.stringify(body) });

/** @returns the session cookie */
const signUp = async (url: string, email: string): Promise<string> => {
  const response = await post(url, '/api/auth/sign-up/email', { email, password: PASSWORD, name: 'Bench' });
  if (response.status !== 200) throw new Error(`sign-up: ${response.status} ${await response.text()}`);
  await response.text();
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
};

/** Starts better-auth on Express with the defaults of both, except that caches and rate limits are off. */
export const startBetterAuth = async ({
  serverUrl,
  directory,
  users,
  defer,
}: PeerOptions): Promise<BetterAuth> => {
  const cwd = await installPeer('better-auth');
  const databaseUrl = await createDatabase(serverUrl, 'peer_better_auth');
  const [port] = await findPorts(1);
  const url = `http://${HOST}:${port}`;
  const env = {
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    BETTER_AUTH_SECRET: randomBytes(32).toString('hex'),
  };
  const entry = join(cwd, 'server.mjs');
  const program = { name: 'better-auth', entry, cwd, env, directory };
  const { pid } = await startNode({ ...program, readyUrl: `${url}/readyz` }, defer);
  await addUsers(databaseUrl, users);
  await queryDatabase(databaseUrl, 'vacuum analyze');
  const emails = Array.from({ length: ACCOUNTS }, (_, index) => `account-${index}@bench.example`);
  const cookies: string[] = [];
  for (const email of emails) cookies.push(await signUp(url, email));
  return {
    version: installedVersion(cwd, 'better-auth'),
    name: 'better-auth',
    url,
    pid: pid() ?? 0,
    me: { method: 'GET', path: '/api/auth/get-session', headers: { Cookie: cookies[0] ?? '' } },
    signIns: emails.map((email) => ({
      method: 'POST',
      path: '/api/auth/sign-in/email',
      headers: originHeaders(url),
      body: JSON.stringify({ email, password: PASSWORD }),
    })),
  };
};
