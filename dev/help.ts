import { demoAccounts } from './seed/demo-people.ts';

type Row = [string, string];

const commands: Row[] = [
  ['npm start', 'starts PostgreSQL, Valkey, all services and a mail inbox; Ctrl-C stops them'],
  ['npm run test-bench', 'starts them with the test bench, for tests of other repositories; -- --help'],
  ['npm run stop', 'stops them from another terminal'],
  ['npm run reset', 'stops them and deletes their data; without a question: npm run reset -- --yes'],
  ['npm run reset -- --orphans', 'deletes databases whose data folder no longer exists'],
];

const ports: Row[] = [
  ['GATEWAY_PORT', '3000: the start page, the console, the account pages, the API and its documentation'],
  ['AUTH_API_PORT', '3001: auth-service'],
  ['ADMIN_API_PORT', '3002: admin-service'],
  ['INBOX_PORT', '8025: the mail inbox'],
  ['OIDC_PORT', '8026: the OpenID provider that signs in the demo accounts'],
];

const variables: Row[] = [
  ['LISTEN_HOST', '127.0.0.1: the listening address; the engines stay on 127.0.0.1'],
  ['INBOX_URL', 'none: the address of the inbox for other machines, at LISTEN_HOST'],
  ['DATA_DIR', '.data: the folder of database, mails, logs and secrets'],
  ['DATABASE_URL', 'another PostgreSQL instead of the embedded one'],
  ['POSTGRES_SHARED_BUFFERS', '128MB: the memory of the embedded PostgreSQL for its tables'],
  ['REDIS_URL', 'another Redis or Valkey instead of the embedded one'],
  ['SMTP_URL', 'another mail server instead of the inbox'],
  ['OIDC_PROVIDERS', 'other OpenID providers instead of the one of the stack'],
  ['PAGES', 'off: neither the console nor the account pages; console or account: only these'],
  ['SEED_DEMO', 'off: no demo accounts and no demo data'],
  ['SEED_PASSWORD', 'Password123!: the password of the demo accounts, set at the first start'],
  ['NODE_ENV', 'production: tries the settings of production, without start page and OpenID provider'],
  ['BCRYPT_COST', '12: the cost of password hashes; lower is faster'],
];

const format = (rows: Row[]): string[] => rows.map(([name, text]) => `  ${name.padEnd(24)} ${text}`);

/** The output of `npm start -- --help`. */
export const formatHelp = (): string =>
  [
    'Usage: [VARIABLE=value …] npm start [-- --help]',
    '',
    ...format(commands),
    '',
    'Ports, with their defaults; 0 chooses a free port:',
    ...format(ports),
    '',
    'Other variables, with their defaults; an empty variable counts as unset:',
    ...format(variables),
    '',
    'All variables of the services work, too: docs/configuration.md lists them.',
    `Demo accounts: ${demoAccounts.map(({ email }) => email).join(', ')}`,
  ].join('\n');
