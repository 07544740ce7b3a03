import { readFile } from 'node:fs/promises';
import type { Prometheus } from './prometheus.ts';

const DASHBOARD = new URL('../../../deploy/grafana/dashboard.json', import.meta.url);

/** These metrics need BREACHED_PASSWORDS_URL, BOT_CHECK or another service, or lines that were dropped. */
const OPTIONAL_PANELS = [
  'Lookups of breached passwords',
  'Bot checks',
  'Internal operations',
  'Events not read yet',
  'Mails of other services',
  'Dropped log lines',
];

type Dashboard = { panels: { title: string; targets?: { expr: string }[] }[] };

/** Runs every expression of the dashboard. Returns the ones without a value. */
export const queryDashboard = async ({ query }: Prometheus): Promise<string[]> => {
  const { panels } = JSON.parse(await readFile(DASHBOARD, 'utf8')) as Dashboard;
  const expressions = panels
    .filter(({ title }) => !OPTIONAL_PANELS.includes(title))
    .flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({
        title,
        expression: expr.replaceAll('$__rate_interval', '1m').replaceAll('$environment', 'compose'),
      })),
    );
  const empty: string[] = [];
  for (const { title, expression } of expressions) {
    const series = await query(expression);
    if (!series.some(({ value: [, value] }) => !Number.isNaN(Number(value))))
      empty.push(`${title}: ${expression}`);
  }
  return empty;
};
