import { queryDatabase } from '@platform/shared/testing/query-database';
import { hash } from 'bcryptjs';
import type { BenchRun } from '../bench-run.ts';
import { PLAN } from '../plan.ts';
import { median, percentile, probabilityOfLarger } from '../statistics.ts';

// Whether the time of a response reveals that an e-mail has an account, or the cost of its hash.

const WARM_UP = 5;
/** Cost 12 takes four times as long as cost 10; the load of the machine changes a median by 10 %. */
const MAX_RATIO = 1.2;

type Case = { name: string; emails: string[]; times: number[] };

const createCase = (name: string, emails: string[]): Case => ({ name, emails, times: [] });

/** Each e-mail once, so that no throttle delays it; the order rotates, so that no case always follows the same one. */
const timeCases = async (url: string, body: object, cases: readonly Case[]): Promise<void> => {
  const observed = new Set<string>();
  for (let round = 0; round < PLAN.timedRequests + WARM_UP; round += 1) {
    const first = round % cases.length;
    for (const { emails, times } of [...cases.slice(first), ...cases.slice(0, first)]) {
      const started = performance.now();
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Fingerprint': `bench-${round}` },
        body: JSON.stringify({ email: emails[round], ...body }),
      });
      const text = (await response.text()).replace(/"requestId":"[^"]*"/, '');
      if (round >= WARM_UP) times.push(performance.now() - started);
      observed.add(`${response.status} ${text} ${[...response.headers.keys()].join(' ')}`);
    }
  }
  if (observed.size !== 1) throw new Error(`The responses differ: ${[...observed].join(' | ')}`);
};

const reportCases = ({ report }: BenchRun, name: string, cases: readonly Case[]): void => {
  const [first] = cases;
  report.addTable(
    `Response times of ${name}`,
    ['', 'median ms', 'p5 ms', 'p95 ms', `slower than "${first?.name}"`],
    cases.map(({ name: caseName, times }) => [
      ...[caseName, median(times), percentile(times, 0.05), percentile(times, 0.95)],
      `${(probabilityOfLarger(times, first?.times ?? []) * 100).toFixed(0)} %`,
    ]),
  );
  const medians = cases.map(({ times }) => median(times));
  report.addResult({
    name: `${name}, the largest median time against the smallest`,
    basis: cases.map(({ name: caseName }) => caseName).join(', '),
    unit: '×',
    target: { atMost: MAX_RATIO },
    value: Math.max(...medians) / Math.min(...medians),
  });
};

export const measureResponseTimes = async (run: BenchRun): Promise<void> => {
  const { gatewayUrl, databaseUrl, emails } = await run.small();
  const count = PLAN.timedRequests + WARM_UP;
  const unknown = (prefix: string) =>
    Array.from({ length: count }, (_, index) => `${prefix}${index}@example.com`);
  // No other scenario can sign in to them afterwards.
  const take = () => emails.splice(-count);
  const oldCost = take();
  const passwordHash = await hash('Another password', 10);
  await queryDatabase(databaseUrl, 'update users set password_hash = $1 where email = any ($2)', [
    passwordHash,
    oldCost,
  ]);
  const signIns = [
    createCase('unknown e-mail', unknown('nobody-')),
    createCase('hash of cost 10', oldCost),
    createCase('hash of cost 12', take()),
  ];
  const base = `${gatewayUrl}/api/v1/customers/auth`;
  await timeCases(`${base}/sign-in`, { password: 'Not the password' }, signIns);
  reportCases(run, 'failed sign-ins', signIns);
  const resets = [createCase('unknown e-mail', unknown('no-reset-')), createCase('known e-mail', take())];
  await timeCases(`${base}/reset-password/email/code/send`, {}, resets);
  reportCases(run, 'reset requests', resets);
};
