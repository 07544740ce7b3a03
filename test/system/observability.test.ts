import { readFile } from 'node:fs/promises';
import { type RunningStack, sharedStack } from '@platform/shared/testing/stack';
import { parser } from '@prometheus-io/lezer-promql';
import { expect } from 'chai';
import { parse } from 'yaml';
import { cleanUpNow } from './cleanup-now.ts';
import { PROCESSES, scrape } from './metrics-pages.ts';

const DEPLOY = new URL('../../deploy/', import.meta.url);
const read = (path: string): Promise<string> => readFile(new URL(path, DEPLOY), 'utf8');

/** What Prometheus itself adds. */
const OF_PROMETHEUS: Record<string, string[]> = { up: [] };
const TARGET_LABELS = ['job', 'instance'];

type Rule = {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
};
type Rules = { groups: { name: string; rules: Rule[] }[] };
type Panel = {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string; legendFormat: string }[];
};
type Dashboard = { uid: string; title: string; panels: Panel[] };

/** An expression's metrics, each with the labels that it is picked by, and the labels it is grouped by. */
type Use = { isValid: boolean; metrics: Map<string, Set<string>>; groupedBy: string[] };

const readExpression = (expression: string): Use => {
  // Grafana puts a duration in its place.
  const text = expression.replaceAll('$__rate_interval', '5m');
  const use: Use = { isValid: true, metrics: new Map(), groupedBy: [] };
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

describe('The dashboard and the alert rules', () => {
  let running: RunningStack;
  /** By the name of each metric that a running process shows, its labels. */
  const shown = new Map<string, Set<string>>(
    Object.entries(OF_PROMETHEUS).map(([name, labels]) => [name, new Set([...TARGET_LABELS, ...labels])]),
  );
  let rules: Rule[];
  let dashboard: Dashboard;
  before('start the stack and read what its processes show', async function () {
    this.timeout(60_000);
    running = await sharedStack();
    for (const path of ['/api/v1', '/api/v1/auth/me']) await fetch(running.stack.gatewayUrl + path);
    await cleanUpNow(running.stack);
    for (const process of PROCESSES)
      for (const { name, labels } of await scrape(running.stack, process))
        shown.set(name, new Set([...(shown.get(name) ?? TARGET_LABELS), ...Object.keys(labels)]));
    rules = (parse(await read('prometheus/alerts.yaml')) as Rules).groups.flatMap((group) => group.rules);
    dashboard = JSON.parse(await read('grafana/dashboard.json')) as Dashboard;
  });

  const expectKnown = (expression: string, where: string): void => {
    const { isValid, metrics, groupedBy } = readExpression(expression);
    expect(isValid, `${where} is PromQL: ${expression}`).to.equal(true);
    expect(metrics.size, where).to.be.at.least(1);
    for (const [name, labels] of metrics) {
      expect([...shown.keys()], where).to.include(name);
      expect([...(shown.get(name) ?? [])], `${where}: ${name}`).to.include.members([...labels, ...groupedBy]);
    }
  };

  it('A mistake would be found: a word too much, a metric or a label that nobody shows', () => {
    for (const wrong of [
      'sum by (kind) sign_ins_total)',
      'rate(sign_in_total[5m])',
      'sign_ins_total{result="failure"}',
      'sum by (route) (rate(sign_ins_total[5m]))',
    ])
      expect(() => expectKnown(wrong, 'it'), wrong).to.throw();
    expectKnown('sum by (kind) (rate(sign_ins_total{outcome="failure"}[5m]))', 'it');
  });

  it('Every rule asks for what the processes show', () => {
    expect(rules.length).to.be.at.least(12);
    for (const { alert, expr } of rules) expectKnown(expr, alert);
  });

  it('Every rule says whom it calls, what is wrong and what to do', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).to.equal(rules.length);
    for (const { alert, for: time = '0s', labels, annotations, ...rest } of rules) {
      expect(alert).to.match(/^[A-Z][A-Za-z]+$/);
      expect(time, alert).to.match(/^\d+[smh]$/);
      expect(labels.severity, alert).to.be.oneOf(['page', 'ticket']);
      expect(Object.keys(rest), alert).to.deep.equal(['expr']);
      expect(Object.keys(annotations), alert).to.have.members(['summary', 'description']);
      const named = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, name = '']) => name);
      const { metrics } = readExpression(rules.find((rule) => rule.alert === alert)?.expr ?? '');
      const labelsShown = [...metrics.keys()].flatMap((name) => [...(shown.get(name) ?? [])]);
      expect(labelsShown, alert).to.include.members(named);
    }
  });

  it('Every panel asks for what the processes show, and stands where no other does', () => {
    const charts = dashboard.panels.filter(({ type }) => type !== 'row');
    expect(charts.length).to.be.at.least(15);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).to.equal(dashboard.panels.length);
    const cells = new Set<string>();
    for (const { title, targets = [], gridPos } of charts) {
      expect(targets.length, title).to.be.at.least(1);
      for (const { expr } of targets) expectKnown(expr, title);
      expect(gridPos.x + gridPos.w, title).to.be.at.most(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(cells.has(`${x} ${y}`), `${title} covers another`).to.equal(false);
          cells.add(`${x} ${y}`);
        }
    }
  });

  it('The scrape configuration names the job that they ask for, and the port of each process', async () => {
    const { scrape_configs, rule_files } = parse(await read('prometheus/prometheus.yaml'));
    expect(rule_files).to.deep.equal(['alerts.yaml']);
    const [{ job_name, static_configs }] = scrape_configs;
    const jobs = [...JSON.stringify([rules, dashboard]).matchAll(/job=\\+"([^"\\]+)/g)].map(
      ([, name]) => name,
    );
    expect([...new Set(jobs)]).to.deep.equal([job_name]);
    expect(static_configs[0].targets.map((target: string) => target.split(':')[1])).to.deep.equal([
      '9300',
      '9301',
      '9302',
      '9303',
    ]);
  });
});
