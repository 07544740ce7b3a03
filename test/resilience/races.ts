// `npm run test:resilience -- races`: concurrent requests to one resource, 200 rounds of each race, through the gateway.
import { ADMINISTRATOR } from '@platform/shared/testing/auth-client';
import { formatStatus } from '@platform/shared/testing/http-client';
import { startStack } from '@platform/shared/testing/stack';
import { type Report, runSuite } from '@platform/shared/testing/suite';
import { checkWatch, watchStack } from '@platform/shared/testing/watch-processes';
import { createBlockRace } from './races/admin.ts';
import {
  createDeleteContactRace,
  createDeleteRefreshRace,
  createDeleteSignInRace,
  createDeleteSignUpRace,
} from './races/deletions.ts';
import { createFixture, type Race } from './races/fixture.ts';
import { createAddressNoticeRace, createContactInboxRace } from './races/mails.ts';
import { createOwnershipRace } from './races/ownership.ts';
import { createLinkRace, createProviderDeletionRace } from './races/provider-endings.ts';
import { type ProviderRaceFixture, startProvider, withProvider } from './races/provider-fixture.ts';
import { createSignOutRace } from './races/sessions.ts';

const ROUNDS = 200;
const MAX_SHOWN = 5;
const ENVIRONMENT = { RATE_LIMIT_SCALE: '10000', LOG_LEVEL: 'warn' };
const COLUMNS = ['race', 'concurrency', 'rounds', 'violations', 'seconds', 'results'];

type Row = [
  race: string,
  concurrency: number,
  rounds: number,
  violations: number,
  seconds: string,
  results: string,
];

const runRace = async (report: Report, race: Race): Promise<Row> => {
  const started = performance.now();
  const violations: string[] = [];
  const counts = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const results = await race.run((holds, invariant, actual) => {
      if (!holds)
        violations.push(`round ${round}: ${invariant}${actual === undefined ? '' : `, but ${actual}`}`);
    }, round);
    for (const each of results) {
      const result = typeof each === 'string' ? each : formatStatus(each);
      counts.set(result, (counts.get(result) ?? 0) + 1);
    }
  }
  await race.close?.();
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  report.check(
    violations.length === 0,
    `${race.name}: ${ROUNDS} rounds of ${race.concurrency} requests, ${violations.length} violations (${seconds} s)`,
  );
  for (const violation of violations.slice(0, MAX_SHOWN)) report.log(`    ${violation}`);
  const sorted = [...counts].sort(([one], [other]) => one.localeCompare(other));
  const summary = sorted.map(([result, count]) => `${count} × ${result}`).join(', ');
  return [race.name, race.concurrency, ROUNDS, violations.length, seconds, summary];
};

const runAll = async (report: Report, fixture: ProviderRaceFixture): Promise<void> => {
  const rows: Row[] = [];
  const admin = await fixture.signIn(await fixture.signUp(ADMINISTRATOR));
  const races: readonly (() => Race | Promise<Race>)[] = [
    () => createSignOutRace(fixture),
    () => createBlockRace(fixture, admin),
    () => createDeleteRefreshRace(fixture),
    () => createDeleteSignInRace(fixture),
    () => createDeleteSignUpRace(fixture),
    () => createDeleteContactRace(fixture),
    () => createContactInboxRace(fixture),
    () => createAddressNoticeRace(fixture),
    () => createOwnershipRace(fixture, 'TOTP'),
    () => createOwnershipRace(fixture, 'passkey'),
    () => createLinkRace(fixture),
    () => createProviderDeletionRace(fixture),
  ];
  for (const create of races) rows.push(await runRace(report, await create()));
  report.table('Races', COLUMNS, rows);
};

await runSuite({
  name: 'races',
  timeoutSeconds: 1_500,
  run: async (report) => {
    const provider = await startProvider();
    const running = await startStack({ ...ENVIRONMENT, ...provider.environment });
    const watching = watchStack(running);
    const fixture = withProvider(createFixture(running.stack), provider);
    try {
      await runAll(report, fixture);
      checkWatch(report, await watching.stop());
    } finally {
      await fixture.close();
      await running.stop();
      await provider.stop();
    }
  },
});
