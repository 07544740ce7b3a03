import { randomUUID } from 'node:crypto';
import { queryDatabase } from '@platform/shared/testing/query-database';
import pg from 'pg';
import type { BenchRun } from '../bench-run.ts';
import { describeFailures, type Request, runClosedLoop } from '../load/load.ts';
import { PLAN } from '../plan.ts';
import { median } from '../statistics.ts';
import { BENCH_PASSWORD, signInRequest } from '../workloads.ts';

// Whether concurrent sign-ups wait for one another while they commit: a row that each of them updates would be locked for the
// latency of a commit. Sign-ins of the same database, which share no row, are the comparison.

/** As of a synchronous standby in another region. */
const COMMIT_MILLISECONDS = 50;
const CONNECTIONS = 48;
const CLIENTS = 64;
/** More than any measured rate. */
const MAX_PER_SECOND = 2_000;

const signUpRequest = (): Request => ({
  method: 'POST',
  path: '/api/v1/customers/auth/sign-up',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ email: `bench-${randomUUID()}@example.com`, password: BENCH_PASSWORD }),
});

const VARIABLES = {
  // In production, the minimum of BCRYPT_COST is 10.
  NODE_ENV: 'test',
  BCRYPT_COST: '4',
  DATABASE_CONNECTIONS: String(CONNECTIONS),
  PASSWORD_QUEUE_LIMIT: '1000',
};

/** Postgres waits so long before each flush of the WAL, and commits together what arrives meanwhile. */
const setCommitDelay = async (url: string, milliseconds: number): Promise<void> => {
  await queryDatabase(url, `alter system set commit_delay = ${milliseconds * 1_000}`);
  await queryDatabase(url, 'alter system set commit_siblings = 0');
  await queryDatabase(url, 'select pg_reload_conf()');
};

/** The median latency of commits in milliseconds, one after the other on one connection until `during` settles. */
const probeCommits = async (url: string, during: Promise<unknown>): Promise<number> => {
  const client = new pg.Client(url);
  await client.connect();
  const milliseconds: number[] = [];
  let isOver = false;
  const ended = during.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const started = performance.now();
    // A record in the WAL without a table or a lock.
    await client.query(`select pg_logical_emit_message(true, 'bench', '')`);
    milliseconds.push(performance.now() - started);
  }
  await client.end();
  await ended;
  return median(milliseconds);
};

/** The rate of new accounts at a high commit latency, with password hashes that cost nothing. */
export const measureAccountCreation = async (run: BenchRun): Promise<void> => {
  const { platform, databaseUrl } = await run.small();
  const { url, stop } = await platform.startInstance('auth', {}, VARIABLES);
  const measure = async (name: string, requests: readonly Request[], duration: number) => {
    const load = runClosedLoop({ url, connections: CLIENTS, requests, duration });
    const [result, commit] = await Promise.all([load, probeCommits(databaseUrl, load)]);
    const failures = describeFailures(result);
    if (failures !== undefined) throw new Error(`${name}: ${failures}`);
    return [name, commit, result.perSecond, (result.perSecond * commit) / 1_000];
  };
  const createSignUps = () => Array.from({ length: MAX_PER_SECOND * PLAN.creationSeconds }, signUpRequest);
  try {
    const created = createSignUps();
    await measure('sign-up', created, PLAN.warmSeconds);
    await setCommitDelay(databaseUrl, COMMIT_MILLISECONDS);
    const rows = [await measure('sign-up', createSignUps(), PLAN.creationSeconds)];
    const emails = await queryDatabase<{ email: string }>(
      databaseUrl,
      "select email from users where email like 'bench-%' and password_hash <> '-'",
    );
    const signIns = emails.map(({ email }) => signInRequest(email));
    rows.push(await measure('sign-in', signIns, PLAN.creationSeconds));
    run.report.addTable(
      `Account creation at a commit latency of ${COMMIT_MILLISECONDS} ms, ${CONNECTIONS} connections`,
      ['', 'commit, ms', 'per second', 'commits at a time'],
      rows,
    );
  } finally {
    await setCommitDelay(databaseUrl, 0);
    await stop();
  }
};
