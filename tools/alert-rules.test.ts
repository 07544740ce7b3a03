import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';

type AlertRule = { alert: string; labels: { severity: string }; annotations: { runbook_url: string } };
type TestCase = { alertname: string; exp_alerts: object[] };
type TestFile = { tests: { alert_rule_test?: TestCase[] }[] };

const PROMETHEUS = resolve(import.meta.dirname, '../deploy/prometheus');
const DOCS = resolve(import.meta.dirname, '../docs');
const RULES = (
  parse(readFileSync(join(PROMETHEUS, 'alerts.yaml'), 'utf8')) as { groups: { rules: AlertRule[] }[] }
).groups.flatMap(({ rules }) => rules);
const ALERTS = RULES.map(({ alert }) => alert);
const TEST_FILES = readdirSync(join(PROMETHEUS, 'tests')).map((name) => join(PROMETHEUS, 'tests', name));
const HEALTHY = join(PROMETHEUS, 'tests/healthy.yaml');

const ALERTMANAGER = resolve(PROMETHEUS, '../alertmanager/alertmanager.yaml');

type Tool = 'promtool' | 'amtool';
const run = (tool: Tool, args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(tool, args, { encoding: 'utf8', timeout: 300_000 });
  return { status, output: stdout + stderr };
};
const isInstalled = {
  promtool: run('promtool', ['--version']).status === 0,
  amtool: run('amtool', ['--version']).status === 0,
};

const readCases = (file: string): TestCase[] =>
  (parse(readFileSync(file, 'utf8')) as TestFile).tests.flatMap((test) => test.alert_rule_test ?? []);

const listAlerts = (cases: readonly TestCase[]): string[] => [
  ...new Set(cases.map(({ alertname }) => alertname)),
];

describe('alert rules', () => {
  const routeOf = (severity: string) => [
    'config',
    'routes',
    'test',
    `--config.file=${ALERTMANAGER}`,
    `severity=${severity}`,
  ];
  for (const [what, tool, args, expected] of [
    ['valid rules', 'promtool', ['check', 'rules', join(PROMETHEUS, 'alerts.yaml')], 'SUCCESS'],
    [
      'a valid scrape configuration',
      'promtool',
      ['check', 'config', join(PROMETHEUS, 'prometheus.yaml')],
      'SUCCESS',
    ],
    ['rules that fire and are silent as expected', 'promtool', ['test', 'rules', ...TEST_FILES], 'SUCCESS'],
    ['a valid configuration of Alertmanager', 'amtool', ['check-config', ALERTMANAGER], 'SUCCESS'],
    ['a route for pages', 'amtool', routeOf('page'), 'page'],
    ['a route for tickets', 'amtool', routeOf('ticket'), 'ticket'],
  ] as const)
    it(`contains ${what}${isInstalled[tool] ? '' : ` (skipped: ${tool} is not installed)`}`, function () {
      if (!isInstalled[tool]) this.skip();
      const { status, output } = run(tool, args);
      expect(status, output).to.equal(0);
      expect(output).to.include(expected);
    });

  it('contains a firing and a silent test case for every alert, besides the healthy platform', () => {
    const cases = TEST_FILES.filter((file) => file !== HEALTHY).flatMap(readCases);
    const isFiring = ({ exp_alerts }: TestCase) => exp_alerts.length > 0;
    expect(listAlerts(cases.filter(isFiring))).to.have.members(ALERTS);
    expect(listAlerts(cases.filter((test) => !isFiring(test)))).to.have.members(ALERTS);
  });

  it('tests that no alert fires on a healthy platform', () => {
    const cases = readCases(HEALTHY);
    expect(cases.flatMap(({ exp_alerts }) => exp_alerts)).to.deep.equal([]);
    expect(listAlerts(cases)).to.have.members(ALERTS);
  });

  it('links each alert to its section of docs/operations.md', () => {
    const sections = readFileSync(join(DOCS, 'operations.md'), 'utf8').match(/^### \w+$/gm) ?? [];
    expect(sections.map((heading) => heading.slice(4))).to.have.members(ALERTS);
    for (const { alert, annotations } of RULES)
      expect(annotations.runbook_url).to.equal(
        `https://docs.example.com/operations.md#${alert.toLowerCase()}`,
      );
  });
});
