import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { startStack } from '@platform/shared/testing/stack';
import { BENCH_PASSWORD, buildTokens, emailOf } from './seed-tokens.ts';
import { percentile } from './statistics.ts';
import { type SignIn, type SignInTimes, signInSteadily } from './steady-sign-ins.ts';

// `npm run bench:token-cleanup`: 1,000,000 token records, 200,000 of them expired. Does `npm run cleanup:tokens` remove
// just those, and do people sign in meanwhile as fast as before? On a stack of its own, with quick hashes (BCRYPT_COST=4):
// with production's, the hash would hide what the database does.

const SIZE = { users: 50_000, records: 1_000_000, expired: 200_000 };
const SIGN_INS_PER_SECOND = 50;
const SECONDS_BEFORE = 20;
const SECONDS_WARM = 5;
const LARGEST_RATIO = 2;

const databaseFigures = async (url: string) => {
  const [row] = await queryDatabase<{ expired: number; live: number; sessions: number }>(
    url,
    `select count(*) filter (where refresh_token_expired_at < now())::int as expired,
       count(*) filter (where refresh_token_expired_at >= now())::int as live,
       (select count(*)::int from sessions) as sessions from token_records`,
  );
  if (!row) throw new Error('Postgres counted nothing');
  return row;
};

/** A device that the user had, with a live record, and a new one, in turns; the expired are left to the clean-up. */
const createSignIns = () => {
  let count = 0;
  return (): SignIn => {
    count += 1;
    const session = Math.floor((Math.random() * SIZE.records) / 5) * 5 + 1;
    const fingerprint = count % 2 === 0 ? `device-${session}` : `new-${count}`;
    return { email: emailOf(session % SIZE.users), password: BENCH_PASSWORD, fingerprint };
  };
};

const cleanUp = async (databaseUrl: string): Promise<number> => {
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

const show = (name: string, { milliseconds, failures }: SignInTimes): number => {
  const figures = [0.5, 0.95, 0.99, 1].map((share) => percentile(milliseconds, share).toFixed(1));
  const [p50, p95, p99, slowest] = figures;
  console.log(
    `${name}: p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms, slowest ${slowest} ms, ` +
      `${milliseconds.length} sign-ins, ${failures.length} failed`,
  );
  return percentile(milliseconds, 0.99);
};

const secondsSince = (started: number): string => `${((performance.now() - started) / 1_000).toFixed(1)} s`;

const expectThat = (holds: boolean, complaint: string): void => {
  if (!holds) {
    console.error(`NOT GOOD: ${complaint}`);
    process.exitCode = 1;
  }
};

const running = await startStack();
try {
  const { authUrl, databaseUrl } = running.stack;
  const building = performance.now();
  await buildTokens(databaseUrl, SIZE);
  console.log(
    `${SIZE.records} token records, ${SIZE.expired} of them expired, made in ${secondsSince(building)}`,
  );
  const next = createSignIns();
  const measure = async (during: Promise<unknown>): Promise<SignInTimes> => {
    const over = new AbortController();
    const measuring = signInSteadily(authUrl, SIGN_INS_PER_SECOND, next, over.signal);
    await during.finally(() => over.abort());
    return await measuring;
  };
  console.log(`${SIGN_INS_PER_SECOND} sign-ins a second, BCRYPT_COST=4`);
  await measure(delay(SECONDS_WARM * 1_000));
  const before = await measure(delay(SECONDS_BEFORE * 1_000));
  const started = performance.now();
  const cleaning = cleanUp(databaseUrl);
  const during = await measure(cleaning);
  console.log(`The clean-up took ${secondsSince(started)}`);

  const [calm, busy] = [show('Before', before), show('During', during)];
  const ratio = busy / calm;
  console.log(
    `p99 during the clean-up is ${ratio.toFixed(2)} times the p99 before; it may be ${LARGEST_RATIO} times`,
  );
  const removed = await cleaning;
  const { expired, live, sessions } = await databaseFigures(databaseUrl);
  console.log(`Left: ${expired} expired and ${live} live records, ${sessions} sessions`);
  expectThat(removed === SIZE.expired, `${removed} records were removed, not ${SIZE.expired}`);
  expectThat(expired === 0, `${expired} expired records are left`);
  expectThat(live >= SIZE.records - SIZE.expired, 'live records were removed');
  expectThat(sessions >= SIZE.records, 'sessions were removed');
  expectThat(before.failures.length + during.failures.length === 0, 'sign-ins failed');
  expectThat(ratio <= LARGEST_RATIO, 'sign-ins were too slow during the clean-up');
} finally {
  await running.stop();
}
