import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { startAlertmanager } from './alerts/alertmanager.ts';

type Labels = Record<string, string>;
type AlertStatus = { labels: Labels; status: { inhibitedBy: string[] } };

const RULES = parse(
  readFileSync(resolve(import.meta.dirname, '../../deploy/prometheus/alerts.yaml'), 'utf8'),
) as {
  groups: { rules: { alert: string; labels: Labels }[] }[];
};
const ALERTS = [...new Set(RULES.groups.flatMap(({ rules }) => rules).map(({ alert }) => alert))];

/**
 * A cause, the alerts that it silences, and alerts that it does not silence. An alert of a service is written
 * `name service`.
 */
const CASES: [cause: string, silenced: string[], others: string[]][] = [
  [
    'PostgresUnavailable',
    [
      'NoReadyInstance auth-service',
      'SignInUnavailable auth-service',
      'ErrorBudgetBurnFast',
      'JourneyFailing',
      'MailStuck',
    ],
    ['NoReadyInstance gateway', 'RedisUnavailable', 'SecondFactorGuessing'],
  ],
  [
    'RedisUnavailable',
    [
      'NoReadyInstance mailer-worker',
      'ReadinessCheckFailing auth-service',
      'ErrorBudgetBurnFast',
      'MailNotSent',
    ],
    ['NoReadyInstance admin-service', 'SignInUnavailable auth-service', 'JourneyFailing'],
  ],
  ['RedisFull', ['RedisMemoryHigh', 'ErrorBudgetBurnFast'], ['MailNotSent', 'JourneyFailing']],
  ['PostgresCannotWrite', ['NoReadyInstance mailer-worker', 'ErrorBudgetBurnFast'], ['RedisUnavailable']],
  ['MailNotSent', ['MailStuck', 'MailDelayed', 'CodeNotReceived'], ['ErrorBudgetBurnFast']],
  [
    'NoReadyInstance auth-service',
    ['SignInUnavailable auth-service', 'ProcessDown auth-service', 'ErrorBudgetBurnFast', 'JourneyFailing'],
    ['ProcessDown admin-service', 'MailStuck'],
  ],
  ['NoReadyInstance mailer-worker', ['MailStuck'], ['SignInUnavailable auth-service', 'ErrorBudgetBurnFast']],
  ['SignInUnavailable auth-service', ['ErrorBudgetBurnFast', 'JourneyFailing'], ['MailStuck']],
  ['OidcProviderUnavailable', ['ErrorBudgetBurnFast', 'SlowRequests'], ['SignInUnavailable auth-service']],
  [
    'PagesSettling',
    ['ErrorBudgetBurnFast', 'MailDelayed'],
    ['NoReadyInstance auth-service', 'SignInUnavailable auth-service', 'MailNotSent', 'JourneyFailing'],
  ],
  ['TicketsSettling', ['SlowRequests', 'MailFailing'], ['ErrorBudgetBurnFast', 'CleanupOverdue']],
  ['ErrorBudgetBurnFast', ['JourneyFailing', 'DatabasePoolExhausted'], ['SecondFactorGuessing']],
];

const isInstalled = spawnSync('prometheus-alertmanager', ['--version']).status === 0;
const toLabels = (alert: string, environment: string): Labels => {
  const [alertname = '', service] = alert.split(' ');
  return { alertname, environment, ...(service && { service }) };
};

describe(`inhibition of alerts${isInstalled ? '' : ' (skipped: prometheus-alertmanager is not installed)'}`, () => {
  let alertmanager: Awaited<ReturnType<typeof startAlertmanager>>;
  before(async function () {
    if (!isInstalled) return this.skip();
    alertmanager = await startAlertmanager(`127.${(process.pid >> 8) & 0xff || 1}.${process.pid & 0xff}.54`);
  });
  after(() => alertmanager?.stop());

  /** Returns the silenced ones of alerts that fire together. No other test may use their environment. */
  const findSilenced = async (alerts: Labels[]): Promise<Labels[]> => {
    const url = `${alertmanager.url}/api/v2/alerts`;
    const body = JSON.stringify(alerts.map((labels) => ({ labels })));
    const { ok } = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    expect(ok).to.equal(true);
    const statuses = (await (await fetch(url)).json()) as AlertStatus[];
    const environments = new Set(alerts.map(({ environment }) => environment));
    return statuses
      .filter(
        ({ labels, status }) => environments.has(labels['environment']) && status.inhibitedBy.length > 0,
      )
      .map(({ labels }) => labels);
  };

  for (const [cause, silenced, others] of CASES)
    it(`silences the consequences of ${cause}, in its environment only`, async () => {
      // Each consequence fires with the cause in a separate environment, because consequences may silence
      // each other.
      const found = await findSilenced([
        ...[...silenced, ...others].flatMap((alert) => [
          toLabels(cause, `${cause}, ${alert}`),
          toLabels(alert, `${cause}, ${alert}`),
        ]),
        ...silenced.map((alert) => toLabels(alert, `not ${cause}`)).slice(0, 1),
      ]);
      expect(found).to.have.deep.members(silenced.map((alert) => toLabels(alert, `${cause}, ${alert}`)));
    });

  it('never silences both of two alerts', async () => {
    const pairs = ALERTS.flatMap((left, index) =>
      ALERTS.slice(index + 1).map((right) => [left, right] as const),
    );
    const found = await findSilenced(
      pairs.flatMap((pair) =>
        pair.map((alert) => ({ ...toLabels(alert, pair.join(' ')), service: 'auth-service' })),
      ),
    );
    const environments = found.map((labels) => labels['environment']);
    expect(
      environments.filter((environment, index) => environments.indexOf(environment) < index),
    ).to.deep.equal([]);
  });
});
