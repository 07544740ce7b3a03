import { basename, join } from 'node:path';
import type { StackConfig } from './config.ts';
import { demoAccounts } from './seed/demo-accounts.ts';
import type { StackReport } from './start-services.ts';

const withoutPassword = (address: string): string => address.replace(/^(\w+:\/\/[^:/@]*):[^@]*@/, '$1:…@');

const accountLines = (config: StackConfig, seeded: string[]): string[] => {
  if (!config.seed.enabled) return [];
  const isNew = seeded.length === demoAccounts.length;
  const note = isNew ? config.seed.password : 'as set at the first start (SEED_PASSWORD, else Password123!)';
  return ['', `  Demo accounts, password: ${note}`, ...demoAccounts.map(({ email }) => `    ${email}`)];
};

/** What the console shows when everything is ready. */
export const summarize = (config: StackConfig, report: StackReport, seconds: number): string => {
  const { description: at, seeded, clusterDir } = report;
  const isOutside = clusterDir !== undefined && basename(clusterDir) !== 'postgres';
  const rows: [string, string][] = [
    ['Gateway', at.gatewayUrl],
    ['API docs', `${at.gatewayUrl}/api`],
    ['Inbox', at.inboxUrl ?? `(mail goes to ${withoutPassword(at.smtpUrl)})`],
    ['auth-service', at.authUrl],
    ['admin-service', at.adminUrl],
    ['PostgreSQL', withoutPassword(at.databaseUrl)],
    ['Valkey', withoutPassword(at.redisUrl)],
  ];
  return [
    '',
    `The platform is ready (${seconds.toFixed(1)} s).`,
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(14)} ${value}`),
    ...accountLines(config, seeded),
    '',
    ...(isOutside ? [`  Database files ${clusterDir} (its account cannot enter the data directory)`] : []),
    `  Logs           ${join(config.dataDir, 'logs')}`,
    `  All addresses  ${join(config.dataDir, 'stack.json')} (with passwords)`,
    '  Stop           Ctrl-C',
    '',
  ].join('\n');
};
