import { basename, join } from 'node:path';
import { isLoopback } from '@platform/shared/network/known-hosts';
import { type StackConfig, toPageUrl } from './config.ts';
import { listPages as listServedPages } from './pages.ts';
import { type DemoAccount, demoAccounts } from './seed/demo-people.ts';
import { hasStartPage } from './start-page/start-page.ts';
import type { StackReport } from './start-services.ts';

type Row = [string, string];

const PAGE_TITLES = { console: 'Console', account: 'Account pages' };

const withoutPassword = (address: string): string =>
  address.replace(/^([\w+]+:\/\/[^:/@]*):[^@]*@/, '$1:…@').replace(/\?.*$/, '');

const listPages = (config: StackConfig, { description }: StackReport): Row[] => {
  const { inboxUrl, smtpUrl } = description;
  const gatewayUrl = toPageUrl(description.gatewayUrl);
  const inbox = inboxUrl ? `${toPageUrl(inboxUrl)}/ (all mails, with the e-mail codes)` : undefined;
  const hasPage = hasStartPage(config);
  return [
    ...(hasPage ? [['Start page', `${gatewayUrl}/ (links to all pages)`] satisfies Row] : []),
    ...listServedPages(config).map((name): Row => [PAGE_TITLES[name], `${gatewayUrl}/${name}/`]),
    ['API docs', `${gatewayUrl}/api/`],
    ['Admin API docs', `${gatewayUrl}/api/v1/docs/`],
    ['Inbox', inbox ?? `(mail goes to ${withoutPassword(smtpUrl)})`],
  ];
};

const listServers = ({ description }: StackReport): Row[] => [
  ['Gateway', description.gatewayUrl],
  ['auth-service', description.authUrl],
  ['admin-service', description.adminUrl],
  ...(description.testBench
    ? [['Test bench', `${description.testBench.url} (its secret is in stack.json)`] satisfies Row]
    : []),
  ['PostgreSQL', withoutPassword(description.databaseUrl)],
  ['Valkey', withoutPassword(description.redisUrl)],
  ...(description.oidcIssuer === null ? [] : [['OpenID', description.oidcIssuer] satisfies Row]),
];

const listFiles = ({ dataDir }: StackConfig, { clusterDir }: StackReport): Row[] => {
  const isExternal = clusterDir !== undefined && basename(clusterDir) !== 'postgres';
  return [
    ...(isExternal
      ? [['Database files', `${clusterDir} (its account cannot access the data directory)`] satisfies Row]
      : []),
    ['Logs', join(dataDir, 'logs')],
    ['All addresses', `${join(dataDir, 'stack.json')} (with passwords)`],
    ['Stop', 'Ctrl-C, or npm run stop in another terminal; npm run reset deletes the data'],
  ];
};

const formatAccounts = ({ seed }: StackConfig, { seeded }: StackReport): string[] => {
  if (!seed.enabled) return [];
  const isNew = seeded.length === demoAccounts.length;
  const note = isNew ? seed.password : 'as set at the first start (SEED_PASSWORD, else Password123!)';
  const toLine = ({ email, role, totpSecret }: DemoAccount) =>
    `    ${email.padEnd(32)}${role}${totpSecret === undefined ? '' : ` with a second factor, TOTP key ${totpSecret}`}`;
  return ['', `  Demo accounts, password: ${note}`, ...demoAccounts.map(toLine)];
};

const formatRows = (rows: Row[]): string[] => rows.map(([name, value]) => `  ${name.padEnd(14)} ${value}`);

/** Browsers keep the refresh token, a `Secure` cookie, only at `https://` and on this machine. */
const warnOfInsecureAddress = ({ listenHost }: StackConfig): string[] =>
  isLoopback(listenHost)
    ? []
    : [
        '',
        `  LISTEN_HOST=${listenHost}: at http://<address of this machine>, browsers sign out at each reload, and`,
        '  have no passkeys. Put a proxy with HTTPS in front (docs/development.md).',
      ];

/** The console output when everything is ready. */
export const formatSummary = (config: StackConfig, report: StackReport, seconds: number): string =>
  [
    '',
    `The platform is ready (${seconds.toFixed(1)} s).`,
    '',
    ...formatRows(listPages(config, report)),
    '',
    ...formatRows(listServers(report)),
    ...formatAccounts(config, report),
    ...warnOfInsecureAddress(config),
    '',
    ...formatRows(listFiles(config, report)),
    '',
  ].join('\n');
