import { readdir, readFile } from 'node:fs/promises';
import { parser } from '@prometheus-io/lezer-promql';
import { expect } from 'chai';
import { parse } from 'yaml';
import { PROCESSES, runCleanup, scrape } from './scrape.ts';
import { usePlatform } from './use-platform.ts';

const DEPLOY = new URL('../../deploy/', import.meta.url);
const DOCS = new URL('../../docs/', import.meta.url);
const read = (path: string): Promise<string> => readFile(new URL(path, DEPLOY), 'utf8');

/** The metrics that Prometheus adds. */
const PROMETHEUS_METRICS = ['up'];
/**
 * Metrics that are exported only with BREACHED_PASSWORDS_URL or BOT_CHECK, for other services or by the probe,
 * none of which the embedded stack has.
 */
const OPTIONAL_METRICS = {
  /** Prometheus itself adds these labels to an alert. */
  ALERTS: ['alertname', 'alertstate'],
  /** Only with TLS. */
  database_certificate_expires_timestamp_seconds: [],
  breached_password_lookups_total: ['outcome'],
  bot_checks_total: ['outcome'],
  events_read_until_timestamp_seconds: ['reader'],
  service_share_rejections_total: ['caller', 'limit'],
  service_mails_total: ['caller'],
  service_mail_deliveries: ['caller', 'outcome'],
  probe_code_success: [],
  probe_journey_success: [],
  probe_journey_duration_seconds: [],
  probe_step_failures_total: ['step'],
};
/** Every process exports all metrics of Node that the library has. */
const NODE_METRIC = /^(?:nodejs|process)_/;
/** The metric of a series: a histogram has three kinds of them. */
const toMetric = (series: string): string => series.replace(/_(?:bucket|count|sum)$/, '');
/**
 * `service` comes from the scrape configuration. `job` depends on the installation, so nothing may refer to
 * it.
 */
const TARGET_LABELS = ['service', 'instance', 'environment'];

type Rule = {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: Record<'condition' | 'summary' | 'description' | 'runbook_url', string>;
};
type Rules = { groups: { name: string; rules: Rule[] }[] };
type Panel = { type: string; title: string; targets?: { expr: string }[] };
type Dashboard = { panels: Panel[] };

/** The metrics of an expression with the labels in their selectors, and the labels of its groupings. */
type ExpressionUse = { isValid: boolean; metrics: Map<string, Set<string>>; groupedBy: string[] };

const readExpression = (expression: string): ExpressionUse => {
  // Grafana replaces this variable by a duration.
  const text = expression.replaceAll('$__rate_interval', '5m');
  const use: ExpressionUse = { isValid: true, metrics: new Map(), groupedBy: [] };
  let current = new Set<string>();
  parser.parse(text).iterate({
    enter: ({ type, from, to, node }) => {
      const word = text.slice(from, to);
      if (type.isError) use.isValid = false;
      if (type.name === 'VectorSelector') current = new Set();
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector') {
        current = use.metrics.get(word) ?? current;
        use.metrics.set(word, current);
      }
      if (type.name !== 'LabelName') return;
      if (node.parent?.name === 'GroupingLabels') use.groupedBy.push(word);
      else current.add(word);
    },
  });
  return use;
};

describe('dashboard and alert rules', () => {
  const platform = usePlatform();
  /** The labels of each exported metric. */
  const exported = new Map<string, Set<string>>([
    ...PROMETHEUS_METRICS.map((name) => [name, new Set(TARGET_LABELS)] as const),
    ...Object.entries(OPTIONAL_METRICS).map(
      ([name, labels]) => [name, new Set([...TARGET_LABELS, ...labels])] as const,
    ),
  ]);
  let rules: Rule[];
  let dashboard: Dashboard;
  before('read the metrics of the processes', async () => {
    for (const path of ['/api/v1', '/api/v1/auth/me']) await fetch(platform().gatewayUrl + path);
    await runCleanup(platform().stack);
    for (const process of PROCESSES)
      for (const { name, labels } of await scrape(platform().stack, process))
        exported.set(name, new Set([...(exported.get(name) ?? TARGET_LABELS), ...Object.keys(labels)]));
    const { groups } = parse(await read('prometheus/alerts.yaml')) as Rules;
    // Watchdog always fires, so it uses no metric.
    rules = groups.flatMap((group) => group.rules).filter(({ alert }) => alert !== 'Watchdog');
    dashboard = JSON.parse(await read('grafana/dashboard.json')) as Dashboard;
  });

  const expectKnown = (expression: string, where: string): void => {
    const { isValid, metrics, groupedBy } = readExpression(expression);
    expect(isValid, `${where} is PromQL: ${expression}`).to.equal(true);
    expect(metrics.size, where).to.be.at.least(1);
    for (const [name, labels] of metrics) {
      expect([...exported.keys()], where).to.include(name);
      expect([...(exported.get(name) ?? [])], `${where}: ${name}`).to.include.members([
        ...labels,
        ...groupedBy,
      ]);
    }
  };

  it('use only exported metrics in rules', () => {
    expect(rules).not.to.be.empty;
    for (const { alert, expr } of rules) expectKnown(expr, alert);
  });

  it('name a severity, a condition, a summary, a description and a runbook for every rule', () => {
    for (const { alert, expr, labels, annotations } of rules) {
      expect(labels.severity, alert).to.be.oneOf(['page', 'ticket', 'none']);
      expect(Object.keys(annotations), alert).to.have.members([
        'condition',
        'summary',
        'description',
        'runbook_url',
      ]);
      const named = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, name = '']) => name);
      const { metrics } = readExpression(expr);
      const exportedLabels = [...metrics.keys()].flatMap((name) => [...(exported.get(name) ?? [])]);
      expect(exportedLabels, alert).to.include.members(named);
    }
  });

  it('use only exported metrics in panels', () => {
    const charts = dashboard.panels.filter(({ type }) => type !== 'row');
    expect(charts).not.to.be.empty;
    for (const { title, targets = [] } of charts) {
      expect(targets, title).not.to.be.empty;
      for (const { expr } of targets) expectKnown(expr, title);
    }
  });

  it('use each exported metric, or a page explains it', async () => {
    const charts = dashboard.panels.flatMap(({ targets = [] }) => targets);
    const expressions = [...rules, ...charts].flatMap(({ expr }) => [...readExpression(expr).metrics.keys()]);
    const pages = await Promise.all(
      (await readdir(DOCS))
        .filter((name) => name.endsWith('.md'))
        .map((name) => readFile(new URL(name, DOCS), 'utf8')),
    );
    const used = new Set([...expressions, ...(pages.join().match(/\w+/g) ?? [])].map(toMetric));
    const unused = [...exported.keys()].filter(
      (name) => !NODE_METRIC.test(name) && !used.has(toMetric(name)),
    );
    expect(unused).to.deep.equal([]);
  });

  it('come with a scrape configuration that discovers each process by DNS', async () => {
    const { scrape_configs, rule_files } = parse(await read('prometheus/prometheus.yaml'));
    expect(rule_files).to.deep.equal(['alerts.yaml']);
    const [{ honor_labels, dns_sd_configs, relabel_configs }, ...others] = scrape_configs;
    expect(others).to.deep.equal([]);
    expect(honor_labels).to.equal(true);
    expect(relabel_configs).to.deep.equal([
      { source_labels: ['__meta_dns_name'], target_label: 'service' },
      { target_label: 'environment', replacement: 'compose' },
    ]);
    const ports = Object.fromEntries(
      dns_sd_configs.map(({ names, type, port }: { names: string[]; type: string; port: number }) => [
        `${type} ${names}`,
        port,
      ]),
    );
    expect(ports).to.deep.equal({
      'A gateway': 9300,
      'A auth-service': 9301,
      'A admin-service': 9302,
      'A mailer-worker': 9303,
      'A probe': 9304,
    });
    const services = PROCESSES.map(async (process) => (await scrape(platform().stack, process))[0]?.labels);
    const names = (await Promise.all(services)).map((labels) => `A ${labels?.['service']}`);
    expect(Object.keys(ports)).to.have.members([...names, 'A probe']);
  });
});
