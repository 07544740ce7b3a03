import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { getRunbookAnchor, parseAlertRules, readAlertRules, renderAlerts } from './alert-table.ts';

type TestCase = { alertname: string; exp_alerts: object[] };
type TestFile = { tests: { alert_rule_test: TestCase[] }[] };

const PROMETHEUS = resolve(import.meta.dirname, '../deploy/prometheus');
const OPERATIONS = resolve(import.meta.dirname, '../docs/operations.md');
const TEST_FILES = readdirSync(join(PROMETHEUS, 'tests')).map((name) => join(PROMETHEUS, 'tests', name));
const HEALTHY = join(PROMETHEUS, 'tests/healthy.yaml');

const isInstalled = spawnSync('promtool', ['--version']).status === 0;
const promtool = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', timeout: 60_000 });
  return { status, output: stdout + stderr };
};

const readCases = (file: string): TestCase[] =>
  (parse(readFileSync(file, 'utf8')) as TestFile).tests.flatMap((test) => test.alert_rule_test);

const listAlerts = (cases: readonly TestCase[]): string[] => [
  ...new Set(cases.map(({ alertname }) => alertname)),
];

describe('alert rules', () => {
  for (const [what, args] of [
    ['valid rules', ['check', 'rules', join(PROMETHEUS, 'alerts.yaml')]],
    ['a valid scrape configuration', ['check', 'config', join(PROMETHEUS, 'prometheus.yaml')]],
    ['rules that fire and are silent as expected', ['test', 'rules', ...TEST_FILES]],
  ] as const)
    it(`has ${what}${isInstalled ? '' : ' (skipped: promtool is not installed)'}`, function () {
      if (!isInstalled) this.skip();
      const { status, output } = promtool(...args);
      expect(status, output).to.equal(0);
      expect(output).to.include('SUCCESS');
    });

  it('has a firing and a silent test case for every alert, besides the healthy platform', async () => {
    const alerts = (await readAlertRules()).map(({ alert }) => alert);
    const cases = TEST_FILES.filter((file) => file !== HEALTHY).flatMap(readCases);
    const isFiring = ({ exp_alerts }: TestCase) => exp_alerts.length > 0;
    expect(listAlerts(cases.filter(isFiring))).to.have.members(alerts);
    expect(listAlerts(cases.filter((test) => !isFiring(test)))).to.have.members(alerts);
  });

  it('has a test that no alert fires on a healthy platform', async () => {
    const cases = readCases(HEALTHY);
    expect(cases.flatMap(({ exp_alerts }) => exp_alerts)).to.deep.equal([]);
    expect(listAlerts(cases)).to.have.members((await readAlertRules()).map(({ alert }) => alert));
  });

  it('links each alert to a heading of docs/operations.md', async () => {
    const headings = [...readFileSync(OPERATIONS, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    );
    expect(headings).to.include.members((await readAlertRules()).map(getRunbookAnchor));
  });
});

describe('table of alerts', () => {
  const RULE = `
groups:
  - name: processes
    rules:
      - alert: ProcessDown
        expr: up == 0
        for: 5m
        labels: { severity: ticket }
        annotations:
          condition: a process does not respond
          runbook_url: https://docs.example.com/operations.md#a-process-is-down`;

  it('has a row for each rule with severity, condition, duration and runbook', () => {
    expect(renderAlerts(parseAlertRules(RULE)).split('\n').at(-1)).to.equal(
      '| `ProcessDown` | ticket | a process does not respond; for 5 min | [runbook](#a-process-is-down) |',
    );
    expect(renderAlerts(parseAlertRules(RULE.replace('for: 5m', '')))).to.include('respond | [runbook]');
  });

  it('rejects a rule without a link to the runbook page', () => {
    const elsewhere = RULE.replace('docs.example.com', 'wiki.example.com');
    expect(() => renderAlerts(parseAlertRules(elsewhere))).to.throw('ProcessDown: runbook_url must be');
  });
});
