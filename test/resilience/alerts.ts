// `npm run check:alerts`: a real Prometheus and Alertmanager with the configuration of the product watch the running platform. Each
// injected fault, on a platform of its own, gives one notification of its cause and no second page; normal traffic gives none.
// `-- frozen killed` runs only the faults with these words; `-- --normal 60` normal traffic for an hour.
// Alerts of longer durations are tested in deploy/prometheus/tests.
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { poll, waitFor } from '@platform/shared/testing/poll';
import { type Report, runSuite } from '@platform/shared/testing/suite';
import { runCleanup } from '../system/scrape.ts';
import type { Notification } from './alerts/alertmanager.ts';
import { queryDashboard } from './alerts/dashboard.ts';
import { FAULTS, type Fault } from './alerts/faults.ts';
import { type MonitoredPlatform, startMonitoredPlatform } from './alerts/monitored-platform.ts';
import { findObstacle } from './alerts/prometheus.ts';
import { startTraffic } from './alerts/traffic.ts';

/** Platforms at once, for some minutes each. */
const LANES = 4;
const NORMAL_MINUTES = 3;
/** Of an alert that fires after five minutes. */
const NOTIFY_SECONDS = 420;
/** group_wait and group_interval of Alertmanager, in which another page would follow. */
const WATCH_SECONDS = 80;
/** The longest rate window of a page. */
const END_SECONDS = 480;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { normal: { type: 'string' }, record: { type: 'boolean' } },
});

let lastStart: Promise<unknown> = Promise.resolve();
/** One platform at a time: the start is what needs processors. */
const startInTurn = (): Promise<MonitoredPlatform> => {
  const started = lastStart.then(startMonitoredPlatform);
  lastStart = started.catch(() => undefined);
  return started;
};

const withPlatform = async <Result>(
  work: (platform: MonitoredPlatform) => Promise<Result>,
): Promise<Result> => {
  const platform = await startInTurn();
  const traffic = await startTraffic(platform);
  try {
    // Otherwise the first sample of a counter already includes a fault, and no rule sees an increase.
    await waitFor(
      'Prometheus has scraped every process three times',
      async () => {
        const scraped = await platform.prometheus.query('count(count_over_time(up[5m]) > 2)');
        return Number(scraped[0]?.value[1]) === platform.targets;
      },
      120,
    );
    return await work(platform);
  } finally {
    await traffic.stop();
    await platform.stop();
  }
};

const isOf =
  ({ severity, alert }: Fault) =>
  ({ receiver, status, alerts }: Notification): boolean =>
    receiver === severity &&
    status === 'firing' &&
    alerts.some(({ labels }) => labels['alertname'] === alert);

const describe = (notifications: readonly Notification[], severity: string): string[] =>
  notifications
    .filter(({ receiver, status }) => receiver === severity && status === 'firing')
    .map(({ alerts }) => [...new Set(alerts.map(({ labels }) => labels['alertname']))].join('+'));

/** Returns cause, severity, alert, seconds until the notification, and the pages and tickets of the whole fault. */
const runFault = (report: Report, fault: Fault): Promise<unknown[]> =>
  withPlatform(async (platform) => {
    const { prometheus, notifications } = platform;
    const injected = performance.now();
    const secondsSince = (at: number) => Math.round((at - injected) / 1_000);
    const repair = await fault.inject(platform);
    const first = await poll(() => notifications.find(isOf(fault)), { timeoutSeconds: NOTIFY_SECONDS });
    const seconds = first && secondsSince(first.at);
    await delay(Math.max(WATCH_SECONDS, (fault.seconds ?? 0) - secondsSince(performance.now())) * 1_000);
    await repair();
    if (fault.isWatchedToTheEnd)
      await poll(async () => (await prometheus.firing()).every((alert) => alert === fault.alert), {
        timeoutSeconds: END_SECONDS,
        everyMilliseconds: 5_000,
      });
    await delay(WATCH_SECONDS * 1_000);
    const pages = describe(notifications, 'page');
    const tickets = describe(notifications, 'ticket');
    report.check(
      seconds !== undefined && pages.length === (fault.severity === 'page' ? 1 : 0),
      `${fault.cause}: ${fault.severity} ${fault.alert} after ${seconds ?? '–'} s; pages: ${pages.join(', ') || 'none'}; ` +
        `tickets: ${tickets.join(', ') || 'none'}`,
    );
    return [
      fault.cause,
      fault.severity,
      fault.alert,
      seconds ?? '–',
      pages.length,
      tickets.join(', ') || '–',
    ];
  });

const checkNormalTraffic = (report: Report, minutes: number): Promise<void> =>
  withPlatform(async (platform) => {
    const { prometheus, notifications } = platform;
    await runCleanup(platform);
    await delay(minutes * 60_000);
    const targets = (await prometheus.targets()).map(
      ({ labels, health }) => `${labels['service']} ${labels['instance']} ${health}`,
    );
    report.check(
      targets.length === platform.targets && targets.every((target) => / \S+:930\d up$/.test(target)),
      `targets: ${targets.sort().join('; ')}`,
    );
    const fired = await prometheus.query(`last_over_time(ALERTS{alertstate="firing"}[${minutes + 5}m])`);
    const names = fired.map(({ metric }) => metric['alertname']).join(', ');
    report.check(
      fired.length + notifications.length === 0,
      `${minutes} minutes of normal traffic: alerts ${names || 'none'}, notifications ${notifications.length || 'none'}`,
    );
    const { total, empty } = await queryDashboard(prometheus);
    report.check(empty.length === 0, `${total - empty.length} of ${total} dashboard queries return a value`);
    for (const line of empty) report.log(`    ${line}`);
  });

/** Runs the jobs, LANES at a time; a job that throws is a failed check. */
const runInLanes = async (
  report: Report,
  jobs: readonly { name: string; run: () => Promise<void> }[],
): Promise<void> => {
  const waiting = [...jobs];
  const runLane = async (): Promise<void> => {
    for (let job = waiting.shift(); job; job = waiting.shift())
      await job.run().catch((error: Error) => report.check(false, `${job?.name}: ${error.stack}`));
  };
  await Promise.all(Array.from({ length: LANES }, runLane));
};

const run = async (report: Report): Promise<void> => {
  const obstacle = findObstacle();
  if (obstacle !== undefined) return report.skip(`alerts on a real Prometheus: ${obstacle}`);
  if (values.normal !== undefined) return await checkNormalTraffic(report, Number(values.normal));
  const rows = new Map<Fault, unknown[]>();
  const chosen = FAULTS.filter(({ cause }) => positionals.every((word) => cause.includes(word)));
  const jobs = chosen.map((fault) => ({
    name: fault.cause,
    run: async () => void rows.set(fault, await runFault(report, fault)),
  }));
  const normal = { name: 'normal traffic', run: () => checkNormalTraffic(report, NORMAL_MINUTES) };
  await runInLanes(report, positionals.length > 0 ? jobs : [...jobs, normal]);
  report.table(
    `Faults, on ${LANES} platforms at a time`,
    ['cause', 'severity', 'alert', 'seconds', 'pages', 'tickets'],
    chosen.flatMap((fault) => [rows.get(fault) ?? []]),
  );
};

// Each platform kills its engines at the exit of this process.
process.setMaxListeners(0);
// Otherwise a signal would leave the processes running: they are killed when this process exits.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));
await runSuite({
  name: 'alerts',
  timeoutSeconds: 1_800 + 60 * Number(values.normal ?? 0),
  run,
});
