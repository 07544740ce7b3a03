// A real Prometheus and Alertmanager with the configuration of the product watch the running platform. Each
// fault gives its alerts, and at most one page; normal traffic gives none. ALERT_FAULTS='frozen|killed'
// selects faults by a regular expression, ALERT_LANES sets how many run at once, NORMAL_MINUTES how long normal
// traffic is watched. Durations and thresholds are tested in deploy/prometheus/tests.
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { runCleanup } from '../system/scrape.ts';
import { queryDashboard } from './alerts/dashboard.ts';
import type { Fault } from './alerts/fault.ts';
import { PASSWORD_FLOOD } from './alerts/faults/requests.ts';
import { selectFaults } from './alerts/faults.ts';
import { findObstacle } from './alerts/prometheus.ts';
import { type FaultResult, runFaults, withPlatform } from './alerts/run-fault.ts';

/** Each of these platforms runs for some minutes. */
const LANES = Number(process.env['ALERT_LANES'] ?? 4);
const NORMAL_MINUTES = Number(process.env['NORMAL_MINUTES'] ?? 3);
const TIMEOUT_SECONDS = 3 * 3_600;
const SELECTED = new RegExp(process.env['ALERT_FAULTS'] ?? '');

/** Runs the jobs, at most LANES at a time. */
const startInLanes = <Result>(jobs: readonly (() => Promise<Result>)[]): Promise<Result>[] => {
  const lanes: Promise<unknown>[] = Array.from({ length: LANES }, () => Promise.resolve());
  return jobs.map((job, index) => {
    const result = (lanes[index % LANES] ?? Promise.resolve()).then(job);
    // The test that awaits the result reports the error.
    lanes[index % LANES] = result.catch(() => undefined);
    return result;
  });
};

describe('alerts on a real Prometheus', function () {
  this.timeout(TIMEOUT_SECONDS * 1_000);
  const platforms = selectFaults(({ cause }) => SELECTED.test(cause));
  const figures: Record<string, object> = {};
  let results: ReturnType<typeof runFaults>[] = [];

  before('start the faults', function () {
    const obstacle = findObstacle();
    if (obstacle !== undefined) {
      console.log(`      ${obstacle}`);
      return this.skip();
    }
    // Each platform registers a listener that kills its engines when this process exits.
    process.setMaxListeners(0);
    results = startInLanes(platforms.map((faults) => () => runFaults(faults)));
    // Otherwise Mocha would abort the run at a rejection that no test awaits yet.
    for (const result of results) result.catch(() => undefined);
  });
  after('print the figures', () => console.table(figures));

  const expectAlerts = (
    { cause, alerts, sharedPlatform }: Fault,
    { seconds, pages, tickets }: FaultResult,
  ): void => {
    for (const alert of alerts)
      figures[`${cause}: ${alert}`] = {
        receiver: pages.some((names) => names.includes(alert)) ? 'page' : 'ticket',
        seconds: seconds[alert],
      };
    const others = [...pages, ...tickets].filter((names) => !alerts.includes(names));
    if (others.length > 0 && sharedPlatform === undefined)
      figures[`${cause}: also`] = { receiver: others.join(', ') };
    for (const alert of alerts) expect(seconds[alert], `no notification of ${alert}`).not.to.equal(undefined);
    expect(pages.length, `pages: ${pages.join(', ')}`).to.be.at.most(1);
    for (const page of pages) expect(alerts).to.include(page);
  };

  for (const [platform, faults] of platforms.entries())
    for (const [index, fault] of faults.entries())
      it(`gives ${fault.alerts.join(' and ')}: ${fault.cause}`, async () => {
        const result = (await results[platform])?.[index];
        if (result) expectAlerts(fault, result);
      });

  it('gives PasswordQueueLong: a burst of sign-ins, alone because it needs all processors', async function () {
    if (!SELECTED.test(PASSWORD_FLOOD.cause)) return this.skip();
    const [result] = await runFaults([PASSWORD_FLOOD]);
    if (result) expectAlerts(PASSWORD_FLOOD, result);
  });

  it('gives no page and no ticket during normal traffic, and a value for every panel', () =>
    withPlatform(async (platform) => {
      const { prometheus, notifications, heartbeats } = platform;
      await runCleanup(platform);
      await delay(NORMAL_MINUTES * 60_000);
      const targets = (await prometheus.targets()).map(
        ({ labels, health }) => `${labels['instance']} ${health}`,
      );
      expect(targets).to.have.lengthOf(platform.targets);
      for (const target of targets) expect(target).to.match(/^\S+:930\d up$/);
      const fired = await prometheus.query(
        `last_over_time(ALERTS{alertstate="firing",alertname!="Watchdog"}[${NORMAL_MINUTES + 5}m])`,
      );
      expect(fired.map(({ metric }) => metric['alertname'])).to.deep.equal([]);
      expect(notifications()).to.deep.equal([]);
      expect(heartbeats().length, 'notifications of Watchdog').to.be.at.least(2);
      expect(await queryDashboard(prometheus)).to.deep.equal([]);
    }));
});
