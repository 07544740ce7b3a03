import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

type AlertRule = {
  alert: string;
  for?: string;
  labels: { severity: 'page' | 'ticket' };
  annotations: { condition: string; summary: string; description: string; runbook_url: string };
};

const RULES = new URL('../deploy/prometheus/alerts.yaml', import.meta.url);
/** The runbook page; its host is a placeholder that operators replace. */
const RUNBOOKS = /^https:\/\/docs\.example\.com\/operations\.md#([a-z0-9-]+)$/;
const UNITS: Record<string, string> = { s: 's', m: 'min', h: 'h' };

export const parseAlertRules = (yaml: string): AlertRule[] =>
  (parse(yaml) as { groups: { rules: AlertRule[] }[] }).groups.flatMap(({ rules }) => rules);

export const readAlertRules = async (): Promise<AlertRule[]> =>
  parseAlertRules(await readFile(RULES, 'utf8'));

/** The heading of docs/operations.md that a rule links to. @throws Error for any other link */
export const getRunbookAnchor = ({ alert, annotations }: AlertRule): string => {
  const [, anchor] = RUNBOOKS.exec(annotations.runbook_url) ?? [];
  if (anchor === undefined)
    throw new Error(`${alert}: runbook_url must be https://docs.example.com/operations.md#…`);
  return anchor;
};

/** `5m` becomes `for 5 min`. */
const formatDuration = (duration: string | undefined): string => {
  const [, count, unit = ''] = /^(\d+)([smh])$/.exec(duration ?? '') ?? [];
  return count === undefined ? '' : `; for ${count} ${UNITS[unit]}`;
};

/** The table of docs/operations.md. */
export const renderAlerts = (rules: readonly AlertRule[]): string => {
  const rows = rules.map((rule) => {
    const condition = `${rule.annotations.condition}${formatDuration(rule.for)}`;
    return `| \`${rule.alert}\` | ${rule.labels.severity} | ${condition} | [runbook](#${getRunbookAnchor(rule)}) |`;
  });
  return ['| alert | severity | condition | |', '| --- | --- | --- | --- |', ...rows].join('\n');
};
