// `npm run check:alerts`: a real Prometheus scrapes the running platform, which it finds by DNS, with the rules of
// deploy/prometheus. Nothing fires under normal traffic; each injected fault raises its alert, which ends after the repair.
// Only the scrape and evaluation intervals are shorter. Alerts of longer durations are tested in deploy/prometheus/tests.
import { setTimeout as delay } from 'node:timers/promises';
import { freezePostgres, freezeRedis } from '@platform/shared/testing/freeze';
import { poll, waitFor } from '@platform/shared/testing/poll';
import { type Report, runSuite } from '@platform/shared/testing/suite';
import { runCleanup } from '../system/scrape.ts';
import { queryDashboard } from './alerts/dashboard.ts';
import { type MonitoredPlatform, startMonitoredPlatform } from './alerts/monitored-platform.ts';
import { findObstacle } from './alerts/prometheus.ts';
import { CONTACT_INBOX, sendRetriedMails, startTraffic, submitForm } from './alerts/traffic.ts';

/** The rate windows of the dashboard and the duration of every page are shorter. */
const NORMAL_SECONDS = 75;
/** A gateway, two instances of auth-service, admin-service and a worker. */
const TARGETS = 5;
const FIRE_SECONDS = 110;
const END_SECONDS = 150;

type Expectation = { alert: string; label: string; values: readonly string[] };

/** Waits until the fault has raised these alerts, each for these values of the label and no others; returns the repair. */
const checkFault = async (
  report: Report,
  { prometheus }: MonitoredPlatform,
  fault: string,
  expected: readonly Expectation[],
) => {
  const readValues = async ({ alert, label }: Expectation): Promise<string> =>
    (await prometheus.firing(alert))
      .map(({ labels }) => labels[label] ?? '')
      .sort()
      .join(', ');
  const started = performance.now();
  const seconds = () => ((performance.now() - started) / 1_000).toFixed(0);
  const everySecond = { everyMilliseconds: 1_000 };
  for (const expectation of expected) {
    const wanted = expectation.values.join(', ');
    await poll(async () => (await readValues(expectation)) === wanted, {
      timeoutSeconds: FIRE_SECONDS,
      ...everySecond,
    });
    const found = await readValues(expectation);
    report.check(
      found === wanted,
      `${fault}: after ${seconds()} s ${expectation.alert} fires for "${found}"`,
    );
  }
  return async (repair: () => Promise<void>): Promise<void> => {
    await repair();
    const repaired = performance.now();
    for (const { alert } of expected) {
      const ended = await poll(async () => (await prometheus.firing(alert)).length === 0, {
        timeoutSeconds: END_SECONDS,
        ...everySecond,
      });
      const after = ((performance.now() - repaired) / 1_000).toFixed(0);
      report.check(ended === true, `${fault} ends: after ${after} s ${alert} is silent`);
    }
  };
};

const checkNormalTraffic = async (report: Report, platform: MonitoredPlatform): Promise<void> => {
  const { prometheus } = platform;
  // Otherwise the first sample of a counter would already include the retried mails, and no rule would see an increase.
  const isScraped = async () =>
    (await prometheus.targets()).filter(({ health }) => health === 'up').length === TARGETS;
  await waitFor('Prometheus scrapes every process', isScraped, 30);
  await runCleanup(platform);
  await sendRetriedMails(platform, 5);
  await delay(NORMAL_SECONDS * 1_000);
  const targets = (await prometheus.targets()).map(
    ({ labels, health }) => `${labels['service']} ${labels['instance']} ${health}`,
  );
  const auth = targets.filter((target) => /^auth-service .+:9301 up$/.test(target));
  report.check(
    targets.length === TARGETS && new Set(auth).size === 2,
    `targets: ${targets.sort().join('; ')}`,
  );
  const [retried] = await prometheus.query('sum(mail_deliveries_total{outcome="retried"})');
  report.check(
    Number(retried?.value[1]) >= 45,
    `5 mails were sent after ${retried?.value[1]} failed attempts`,
  );
  const fired = await prometheus.query('last_over_time(ALERTS{alertstate="firing"}[10m])');
  const names = fired.map(({ metric }) => metric['alertname']).join(', ');
  report.check(fired.length === 0, `alerts under normal traffic: ${names || 'none'}`);
  const { total, empty } = await queryDashboard(prometheus);
  report.check(empty.length === 0, `${total - empty.length} of ${total} dashboard queries return a value`);
  for (const line of empty) report.log(`    ${line}`);
};

const checkRejectedMails = async (report: Report, platform: MonitoredPlatform): Promise<void> => {
  const { smtp, gatewayUrl } = platform;
  const submit = (count: number) =>
    Promise.all(Array.from({ length: count }, () => submitForm(gatewayUrl, 'support')));
  smtp.refuse(CONTACT_INBOX, { at: 'recipient', code: 550, times: 8 });
  await submit(8);
  const expected = { alert: 'MailFailing', label: 'template', values: ['support-request'] };
  const repair = await checkFault(report, platform, '8 mails permanently rejected', [expected]);
  await repair(async () => {
    for (let batch = 0; batch < 20; batch += 1) await submit(12);
  });
};

const checkFrozenPostgres = async (report: Report, platform: MonitoredPlatform): Promise<void> => {
  const thaw = await freezePostgres(platform.databaseUrl, platform.pids().postgres);
  const repair = await checkFault(report, platform, 'Postgres frozen', [
    {
      alert: 'NoReadyInstance',
      label: 'service',
      values: ['admin-service', 'auth-service', 'mailer-worker'],
    },
    { alert: 'SignInUnavailable', label: 'severity', values: ['page'] },
  ]);
  const { status } = await fetch(`${platform.opsUrls.gateway}/readyz`);
  report.check(status === 200, `Postgres frozen: /readyz of the gateway returns ${status}`);
  await repair(thaw);
};

/** Two faults at once, whose alerts differ. */
const checkFrozenRedis = async (report: Report, platform: MonitoredPlatform): Promise<void> => {
  const { dns } = platform;
  const addresses = dns.records.get('admin-service') ?? [];
  dns.records.delete('admin-service');
  const thaw = freezeRedis(platform.pids().redis);
  const repair = await checkFault(report, platform, 'Redis frozen, admin-service vanished from DNS', [
    { alert: 'NoReadyInstance', label: 'service', values: ['auth-service', 'mailer-worker'] },
    { alert: 'TargetMissing', label: 'service', values: ['admin-service'] },
  ]);
  await repair(async () => {
    dns.records.set('admin-service', addresses);
    await thaw();
  });
};

const run = async (report: Report): Promise<void> => {
  const obstacle = findObstacle();
  if (obstacle !== undefined) return report.skip(`alerts on a real Prometheus: ${obstacle}`);
  const platform = await startMonitoredPlatform();
  const traffic = await startTraffic(platform);
  try {
    await checkNormalTraffic(report, platform);
    await checkRejectedMails(report, platform);
    await checkFrozenPostgres(report, platform);
    await checkFrozenRedis(report, platform);
  } finally {
    await traffic.stop();
    await platform.stop();
  }
};

// Otherwise a signal would leave the processes running: they are killed when this process exits.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));
await runSuite({ name: 'alerts', command: 'npm run check:alerts', timeoutSeconds: 700, run });
