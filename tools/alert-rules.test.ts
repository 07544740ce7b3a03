import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
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
/** An alert may have a rule for each severity. */
const ALERTS = [...new Set(RULES.map(({ alert }) => alert))];

/** The sections of the alerts in docs/operations.md. */
const SECTIONS = readFileSync(join(DOCS, 'operations.md'), 'utf8')
  .split(/^(?=###? )/m)
  .filter((section) => section.startsWith('### '))
  .map((section) => {
    const [heading = '', ...text] = section.split('\n');
    return { alert: heading.slice(4), text: text.join('\n') };
  });

const DASHBOARD = resolve(PROMETHEUS, '../grafana/dashboard.json');
const ALERTMANAGER = resolve(PROMETHEUS, '../alertmanager/alertmanager.yaml');

type Tool = 'promtool' | 'amtool';
const run = (tool: Tool, args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(tool, args, { encoding: 'utf8', timeout: 60_000 });
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
    expect(SECTIONS.map(({ alert }) => alert)).to.have.members(ALERTS);
    for (const { alert, annotations } of RULES)
      expect(annotations.runbook_url).to.equal(
        `https://docs.example.com/operations.md#${alert.toLowerCase()}`,
      );
  });

  it('says what to do for each alert, and for each page also what to check and how to verify it', () => {
    const pages = RULES.filter(({ labels }) => labels.severity === 'page').map(({ alert }) => alert);
    for (const { alert, text } of SECTIONS) {
      expect(text, alert).to.match(/^\*\*(?:Do|Check and do)\.\*\*/m);
      if (pages.includes(alert)) expect(text, alert).to.match(/^\*\*Check\.\*\*[\s\S]*^\*\*Verify\.\*\*/m);
    }
  });

  it('names only panels of the dashboard', () => {
    const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as { panels: { title: string }[] };
    const named = SECTIONS.flatMap(({ text }) =>
      [...text.matchAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g)].map(([, title]) => title),
    );
    expect(named).not.to.be.empty;
    expect(panels.map(({ title }) => title)).to.include.members(named);
  });
});
