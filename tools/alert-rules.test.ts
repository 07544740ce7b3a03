import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';

type AlertRule = { alert: string; labels: { severity: string }; annotations: { runbook_url: string } };

const PROMETHEUS = resolve(import.meta.dirname, '../deploy/prometheus');
const DOCS = resolve(import.meta.dirname, '../docs');
const FILES = ['alerts.yaml', 'postgres.yaml'].map((name) => join(PROMETHEUS, name));
const RULES = FILES.flatMap(
  (file) => (parse(readFileSync(file, 'utf8')) as { groups: { rules: AlertRule[] }[] }).groups,
).flatMap(({ rules }) => rules);
const ALERTS = RULES.map(({ alert }) => alert);
const TEST_FILES = readdirSync(join(PROMETHEUS, 'tests')).map((name) => join(PROMETHEUS, 'tests', name));

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

describe('alert rules', () => {
  const routeOf = (severity: string) => [
    'config',
    'routes',
    'test',
    `--config.file=${ALERTMANAGER}`,
    `severity=${severity}`,
  ];
  for (const [what, tool, args, expected] of [
    ['valid rules', 'promtool', ['check', 'rules', ...FILES], 'SUCCESS'],
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

  it('links each alert to its section of docs/operations.md', () => {
    const sections = readFileSync(join(DOCS, 'operations.md'), 'utf8').match(/^### \w+$/gm) ?? [];
    expect(sections.map((heading) => heading.slice(4))).to.have.members(ALERTS);
    for (const { alert, annotations } of RULES)
      expect(annotations.runbook_url).to.equal(
        `https://docs.example.com/operations.md#${alert.toLowerCase()}`,
      );
  });
});
