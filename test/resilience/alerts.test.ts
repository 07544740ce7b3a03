// A real Prometheus and Alertmanager with the configuration of the product watch the running platform. Each fault, on a platform of
// its own, gives one page of its cause; normal traffic gives none. ALERT_FAULTS=frozen selects faults. Durations and thresholds are
// tested in deploy/prometheus/tests.
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { runCleanup } from '../system/scrape.ts';
import { queryDashboard } from './alerts/dashboard.ts';
import { FAULTS } from './alerts/faults.ts';
import { findObstacle } from './alerts/prometheus.ts';
import { runFault, withPlatform } from './alerts/run-fault.ts';

/** Platforms at once, for some minutes each. */
const LANES = 4;
const NORMAL_MINUTES = 3;
const TIMEOUT_SECONDS = 3_600;
const SELECTED = process.env['ALERT_FAULTS'] ?? '';

/** Runs the jobs, LANES at a time. */
const startInLanes = <Result>(jobs: readonly (() => Promise<Result>)[]): Promise<Result>[] => {
  const lanes: Promise<unknown>[] = Array.from({ length: LANES }, () => Promise.resolve());
  return jobs.map((job, index) => {
    const result = (lanes[index % LANES] ?? Promise.resolve()).then(job);
    // The test that waits for the result reports the error.
    lanes[index % LANES] = result.catch(() => undefined);
    return result;
  });
};

describe('alerts on a real Prometheus', function () {
  this.timeout(TIMEOUT_SECONDS * 1_000);
  const faults = FAULTS.filter(({ cause }) => cause.includes(SELECTED));
  const figures: Record<string, object> = {};
  let results: ReturnType<typeof runFault>[] = [];

  before('start the faults', function () {
    const obstacle = findObstacle();
    if (obstacle !== undefined) {
      console.log(`      ${obstacle}`);
      return this.skip();
    }
    // Each platform kills its engines at the exit of this process.
    process.setMaxListeners(0);
    results = startInLanes(faults.map((fault) => () => runFault(fault)));
    // Mocha would end the run at a rejection before the test that waits for it.
    for (const result of results) result.catch(() => undefined);
  });
  after('print the figures', () => console.table(figures));

  for (const [index, { cause, alert }] of faults.entries())
    it(`gives one page, ${alert}: ${cause}`, async () => {
      const { seconds, pages, tickets } = (await results[index]) ?? {};
      figures[cause] = { alert, seconds, pages: pages?.join(', '), tickets: tickets?.join(', ') };
      expect(seconds, `no page of ${alert}`).not.to.equal(undefined);
      expect(pages).to.have.lengthOf(1);
    });

  it('gives no page and no ticket during normal traffic, and a value for every panel', () =>
    withPlatform(async (platform) => {
      const { prometheus, notifications } = platform;
      await runCleanup(platform);
      await delay(NORMAL_MINUTES * 60_000);
      const targets = (await prometheus.targets()).map(
        ({ labels, health }) => `${labels['instance']} ${health}`,
      );
      expect(targets).to.have.lengthOf(platform.targets);
      for (const target of targets) expect(target).to.match(/^\S+:930\d up$/);
      const fired = await prometheus.query(
        `last_over_time(ALERTS{alertstate="firing"}[${NORMAL_MINUTES + 5}m])`,
      );
      expect(fired.map(({ metric }) => metric['alertname'])).to.deep.equal([]);
      expect(notifications).to.deep.equal([]);
      expect(await queryDashboard(prometheus)).to.deep.equal([]);
    }));
});
