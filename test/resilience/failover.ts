// `npm run test:failover`: kills, freezes and switches over PostgreSQL, Redis and PgBouncer under load, three rounds
// each, then starts the platform on each kind of engine. `-- postgres-kill engines --rounds 1` selects.
import { parseArgs } from 'node:util';
import { type Report, runSuite } from '@platform/shared/testing/suite';
import { PATRONI_GROUP } from './failover/patroni-group.ts';
import { PGBOUNCER_GROUP } from './failover/pgbouncer-group.ts';
import { runEngines } from './failover/run-engines.ts';
import { runGroup } from './failover/run-group.ts';
import type { FailoverGroup } from './failover/scenario.ts';
import { SENTINEL_GROUP } from './failover/sentinel-group.ts';

const GROUPS: readonly FailoverGroup[] = [PATRONI_GROUP, SENTINEL_GROUP, PGBOUNCER_GROUP];
/** The platform starts on each kind of engine, without a fault. */
const ENGINES = 'engines';
const ALL_NAMES = [...GROUPS.flatMap(({ scenarioNames }) => scenarioNames), ENGINES];

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '3' } },
  allowPositionals: true,
});
const rounds = Number(values.rounds);
if (!(Number.isInteger(rounds) && rounds > 0)) throw new Error('--rounds needs a positive number');
const unknown = positionals.filter((name) => !ALL_NAMES.includes(name));
if (unknown.length > 0)
  throw new Error(`Unknown scenario: ${unknown.join(', ')}. The scenarios are ${ALL_NAMES.join(', ')}.`);
const isSelected = (name: string) => positionals.length === 0 || positionals.includes(name);

/** The other groups run, too, when one cannot start. */
const guard = async (report: Report, name: string, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    report.check(false, `${name}: ${error instanceof Error ? error.stack : error}`);
  }
};

const run = async (report: Report): Promise<void> => {
  for (const group of GROUPS) {
    const names = group.scenarioNames.filter(isSelected);
    if (names.length === 0) continue;
    const obstacle = group.findObstacle();
    report.log(`\n${group.name}`);
    if (obstacle === undefined)
      await guard(report, group.name, () => runGroup(report, group, { names, rounds }));
    else for (const name of names) report.skip(`${name}: ${obstacle}`);
  }
  if (isSelected(ENGINES)) await guard(report, ENGINES, () => runEngines(report));
};

// Otherwise a signal would leave the engines running: they are killed when this process exits.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));
await runSuite({ name: 'failover', timeoutSeconds: 2_400, run });
