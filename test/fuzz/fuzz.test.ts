// `npm run test:fuzz`: 20,000 requests that fast-check generates from the OpenAPI documents and mutates.
//   -- --seed 42                                 generates the same requests again
//   -- --seed 42 --path admin/blockUser:17:0:1   replays one request: the operation, then the path of fast-check
//   -- --path admin/blockUser --requests 1000    tests one operation
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { type Report, runSuite } from '@platform/shared/testing/suite';
import fc from 'fast-check';
import { loadOperations } from '../openapi-operations.ts';
import { createFixture } from './fixture.ts';
import { readLogs, startMonitor } from './monitor.ts';
import { createProperties, type Property, type SentRequest } from './properties.ts';

const TIMEOUT_SECONDS = 700;
/** Leaves time to report what has been found. */
const CHECK_MILLISECONDS = 600_000;
const MAX_LINE_LENGTH = 700;
const ENVIRONMENT = {
  // Production rejects cheap hashes, and the suite has time for no others.
  NODE_ENV: 'test',
  CORS_ORIGINS: 'http://localhost:5173',
  WEBAUTHN_RP_ID: 'localhost',
  WEBAUTHN_ORIGINS: 'http://localhost:5173',
  RATE_LIMIT_SCALE: '100000',
  LOG_LEVEL: 'warn',
  // A small young generation is collected more often, so that a leak shows sooner.
  NODE_OPTIONS: '--max-semi-space-size=2',
};

const ALWAYS_REJECTED = [
  // Administrators hold a platform role.
  'auth/administratorAccountDelete',
  // The provider itself sends its logout tokens, and each is valid once.
  'auth/oidcBackchannelLogout',
  // Nearly all of them break HTTP.
  'raw',
];

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    path: { type: 'string', default: '' },
    requests: { type: 'string', default: '20000' },
    record: { type: 'boolean' },
  },
});
const seed = Number(options.seed);
const [, selected = '', path = ''] = /^([^:]*):?(.*)$/.exec(options.path) ?? [];

type Result = { name: string; details: fc.RunDetails<unknown> };

const runProperty = async ({ name, attempt }: Property, index: number, numRuns: number): Promise<Result> => {
  const property = fc.asyncProperty(attempt, (send) => send());
  const details = await fc.check(property, {
    // Otherwise all properties would make the same choices.
    seed: seed + index,
    ...(path === '' ? { numRuns } : { path, endOnFailure: true, numRuns: 1 }),
    plugins: [fc.interruptAfterTimeLimit(CHECK_MILLISECONDS, { failOnInterrupt: true })],
  });
  return { name, details };
};

const formatStatuses = (sent: readonly SentRequest[]): string =>
  [...Map.groupBy(sent, ({ status }) => status)]
    .sort(([one], [other]) => one - other)
    .map(([status, requests]) => `${requests.length} × ${status || 'no response'}`)
    .join(', ');

const reportFailure = (report: Report, { name, details }: Result, dataDir: string): void => {
  const { numRuns, numShrinks, counterexamplePath, errorInstance } = details;
  const { message, cause } = errorInstance instanceof Error ? errorInstance : new Error('interrupted');
  const [problems = '', ...request] = message.split('\n');
  const logs = cause ? readLogs(dataDir).filter((line) => line.includes(`"${cause}"`)) : [];
  report.check(false, `${name}: ${problems}`);
  report.log(`    Found by request ${numRuns} and shrunk ${numShrinks} times. To replay it:`);
  report.log(`    npm run test:fuzz -- --seed ${seed} --path ${name}:${counterexamplePath}`);
  for (const line of [...request, ...logs]) report.log(`      ${line.slice(0, MAX_LINE_LENGTH)}`);
};

const reportTotals = (
  report: Report,
  properties: readonly Property[],
  sent: readonly SentRequest[],
): void => {
  const serverErrors = sent.filter(({ status }) => status >= 500).length;
  const successful = new Set(sent.filter(({ status }) => status < 300).map(({ property }) => property));
  const unsuccessful = properties
    .map(({ name }) => name)
    .filter((name) => !successful.has(name) && !ALWAYS_REJECTED.includes(name));
  const byMutation = sent.flatMap((request) =>
    (request.mutations.length > 0 ? request.mutations : ['none']).map((name) => ({ name, request })),
  );
  const rows = [...Map.groupBy(byMutation, ({ name }) => name)]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, list]) => [name, list.length, formatStatuses(list.map(({ request }) => request))]);
  report.check(serverErrors === 0, `${sent.length} requests, ${serverErrors} server errors`);
  report.check(unsuccessful.length === 0, `never successful: ${unsuccessful.join(', ') || 'none'}`);
  report.table('Statuses by mutation', ['mutation', 'requests', 'statuses'], rows);
};

const runOn = async (report: Report, stack: RunningStack): Promise<void> => {
  const operations = await loadOperations();
  const fixture = await createFixture(stack);
  const monitor = startMonitor(stack, await fixture.createIdentity('CUSTOMER'));
  const sent: SentRequest[] = [];
  const onSent = (request: SentRequest) => monitor.onRequest(sent.push(request));
  const { gatewayUrl } = stack.stack;
  const { properties, close } = createProperties({ gatewayUrl, operations, fixture, onSent });
  const isSelected = ({ name }: Property) => selected === '' || name === selected;
  const count = properties.filter(isSelected).length;
  if (count === 0) throw new Error(`No operation has the name ${selected}`);
  const numRuns = Math.ceil(Number(options.requests) / count);
  const results = await Promise.all(
    properties.flatMap((property, index) =>
      isSelected(property) ? [runProperty(property, index, numRuns)] : [],
    ),
  );
  close();
  const sentBy = Map.groupBy(sent, ({ property }) => property);
  for (const result of results) {
    if (result.details.failed) reportFailure(report, result, stack.dataDir);
    else report.check(true, `${result.name}: ${formatStatuses(sentBy.get(result.name) ?? [])}`);
  }
  if (selected === '') {
    reportTotals(report, properties, sent);
    await monitor.check(report, sent.length);
  }
  await fixture.records.close();
};

const fuzz = async (report: Report): Promise<void> => {
  report.log(`--seed ${seed}`);
  const stack = await startStack(ENVIRONMENT);
  try {
    await runOn(report, stack);
  } finally {
    await stack.stop();
  }
};

await runSuite({ name: 'fuzz', timeoutSeconds: TIMEOUT_SECONDS, run: fuzz });
