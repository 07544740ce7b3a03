import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { printAlertmanagerConfig } from './deploy/alertmanager-config.ts';
import { printDashboard, printRuleFiles } from './deploy/prometheus-rule.ts';

// Part of `npm run generate`: writes the rules of each overlay with a monitoring component from
// deploy/prometheus, the ConfigMap of the dashboard, and the AlertmanagerConfig from deploy/alertmanager. With --check it writes
// nothing, names each stale file and exits with 1.

const ROOT = resolve(import.meta.dirname, '..');

for (const { file, content } of [...printRuleFiles(), printDashboard(), printAlertmanagerConfig()]) {
  if (existsSync(file) && readFileSync(file, 'utf8') === content) continue;
  if (!process.argv.includes('--check')) {
    writeFileSync(file, content);
    continue;
  }
  console.error(`${relative(ROOT, file)} is stale: run \`npm run generate\` and commit it.`);
  process.exitCode = 1;
}
