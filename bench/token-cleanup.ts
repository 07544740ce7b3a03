// `npm run bench:token-cleanup`: 1,000,000 token records, 200,000 of them expired. Does `npm run cleanup:tokens` remove exactly
// those, and does it slow down concurrent sign-ins? BCRYPT_COST=4, because production hashes would hide the database time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { startStack } from '@platform/shared/testing/stack';
import { hashSync } from 'bcryptjs';
import { seedDatabase } from './seed-database.ts';
import { pickSessions, type SeededSession, seedSessions, setPasswords } from './seed-sessions.ts';
import { percentile } from './statistics.ts';
import { BENCH_PASSWORD } from './workloads.ts';

/** Two of five users have sessions: 50,000. */
const USERS = 125_000;
const RECORDS = 1_000_000;
const EXPIRED_EVERY = 5;
const EXPIRED = RECORDS / EXPIRED_EVERY;
const KNOWN_DEVICES = 10_000;
const SIGN_INS_PER_SECOND = 50;
const SECONDS_BEFORE = 20;
const SECONDS_WARM = 5;
const MAX_RATIO = 2;

const seed = async (databaseUrl: string): Promise<SeededSession[]> => {
  const started = performance.now();
  await seedDatabase(databaseUrl, { users: USERS, projects: 0, teams: 0, auditRecords: 0 });
  await seedSessions(databaseUrl, USERS, RECORDS, EXPIRED_EVERY);
  await setPasswords(databaseUrl, hashSync(BENCH_PASSWORD, 4), USERS);
  await queryDatabase(databaseUrl, 'vacuum analyze users');
  await queryDatabase(databaseUrl, 'checkpoint');
  console.log(`${RECORDS} token records, ${EXPIRED} of them expired, seeded in ${secondsSince(started)}`);
  return pickSessions(databaseUrl, RECORDS, KNOWN_DEVICES);
};

const countRecords = async (url: string) => {
  const [row] = await queryDatabase<{ expired: number; live: number; sessions: number }>(
    url,
    `select count(*) filter (where refresh_token_expired_at < now())::int as expired,
       count(*) filter (where refresh_token_expired_at >= now())::int as live,
       (select count(*)::int from sessions) as sessions from token_records`,
  );
  if (!row) throw new Error('PostgreSQL returned no counts');
  return row;
};

/** Times in milliseconds since the scheduled time, so that a delayed sign-in counts as slow. */
type SignInTimes = { milliseconds: number[]; failures: number[] };

/** Signs in at a constant rate until `during` settles, alternately from a known and from a new device. */
const signInDuring = async (
  during: Promise<unknown>,
  authUrl: string,
  sessions: readonly SeededSession[],
): Promise<SignInTimes> => {
  const times: SignInTimes = { milliseconds: [], failures: [] };
  const signIn = async (due: number, index: number): Promise<void> => {
    const session = sessions[Math.floor(Math.random() * sessions.length)];
    const fingerprint = index % 2 === 0 ? session?.fingerprint : `new-${index}-${due}`;
    const response = await fetch(`${authUrl}${CUSTOMER.path}/sign-in`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Fingerprint': fingerprint ?? '' },
      body: JSON.stringify({ email: session?.email, password: BENCH_PASSWORD }),
    });
    await response.text();
    times.milliseconds.push(performance.now() - due);
    if (response.status !== 200) times.failures.push(response.status);
  };
  const pending: Promise<void>[] = [];
  let isOver = false;
  const ended = during.finally(() => {
    isOver = true;
  });
  for (let due = performance.now(); !isOver; due += 1_000 / SIGN_INS_PER_SECOND) {
    await delay(Math.max(0, due - performance.now()));
    pending.push(signIn(due, pending.length));
  }
  await Promise.all([ended, ...pending]);
  return times;
};

/** @returns the number of removed records */
const runCleanup = async (databaseUrl: string): Promise<number> => {
  const child = spawn(process.execPath, ['run.mjs', 'mailer-worker/src/run-cleanup.ts'], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await once(child, 'close');
  console.log(`cleanup:tokens: ${output.trim()}`);
  return Number(/Removed (\d+) /.exec(output)?.[1]);
};

/** @returns the p99 */
const print = (name: string, { milliseconds, failures }: SignInTimes): number => {
  const [p50, p95, p99, slowest] = [0.5, 0.95, 0.99, 1].map((share) =>
    percentile(milliseconds, share).toFixed(1),
  );
  console.log(
    `${name}: p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms, slowest ${slowest} ms, ` +
      `${milliseconds.length} sign-ins, ${failures.length} failed`,
  );
  return percentile(milliseconds, 0.99);
};

const secondsSince = (started: number): string => `${((performance.now() - started) / 1_000).toFixed(1)} s`;

const check = (isMet: boolean, problem: string): void => {
  if (isMet) return;
  console.error(`NOT MET: ${problem}`);
  process.exitCode = 1;
};

const running = await startStack();
try {
  const { authUrl, databaseUrl } = running.stack;
  const sessions = await seed(databaseUrl);
  console.log(`${SIGN_INS_PER_SECOND} sign-ins per second, BCRYPT_COST=4`);
  await signInDuring(delay(SECONDS_WARM * 1_000), authUrl, sessions);
  const before = await signInDuring(delay(SECONDS_BEFORE * 1_000), authUrl, sessions);
  const started = performance.now();
  const cleanup = runCleanup(databaseUrl);
  const during = await signInDuring(cleanup, authUrl, sessions);
  console.log(`The cleanup took ${secondsSince(started)}`);
  const [idle, busy] = [print('Before', before), print('During', during)];
  const ratio = busy / idle;
  console.log(`p99 during the cleanup: ${ratio.toFixed(2)} times the p99 before, at most ${MAX_RATIO} times`);
  const removed = await cleanup;
  const left = await countRecords(databaseUrl);
  console.log(`Left: ${left.expired} expired and ${left.live} live records, ${left.sessions} sessions`);
  check(removed === EXPIRED, `${removed} records were removed instead of ${EXPIRED}`);
  check(left.expired === 0, `${left.expired} expired records are left`);
  check(left.live >= RECORDS - EXPIRED, 'live records were removed');
  check(left.sessions >= RECORDS, 'sessions were removed');
  check(before.failures.length + during.failures.length === 0, 'sign-ins failed');
  check(ratio <= MAX_RATIO, 'sign-ins were too slow during the cleanup');
} finally {
  await running.stop();
}
