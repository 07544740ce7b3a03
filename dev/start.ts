// `npm start`: the whole platform on this machine. Ctrl-C stops it.

import { basename, join } from 'node:path';
import { readStackConfig, type StackConfig } from './config.ts';
import { demoAccounts } from './seed/demo-people.ts';
import { createStack } from './stack.ts';
import { StackError } from './stack-error.ts';
import type { StackReport } from './start-services.ts';

/** npm forwards a signal that the terminal has already sent to the process group, so one Ctrl-C may arrive twice. */
const sameSignalMilliseconds = 1_000;
const killMilliseconds = 3_000;

const printError = (error: unknown): void => {
  if (error instanceof StackError) console.error(`\n${error.message}\n`);
  else console.error(error);
};

const withoutPassword = (address: string): string =>
  address.replace(/^([\w+]+:\/\/[^:/@]*):[^@]*@/, '$1:…@').replace(/\?.*$/, '');

const accountLines = (config: StackConfig, seeded: string[]): string[] => {
  if (!config.seed.enabled) return [];
  const isNew = seeded.length === demoAccounts.length;
  const note = isNew ? config.seed.password : 'as set at the first start (SEED_PASSWORD, else Password123!)';
  return ['', `  Demo accounts, password: ${note}`, ...demoAccounts.map(({ email }) => `    ${email}`)];
};

/** The console output when everything is ready. */
const formatSummary = (config: StackConfig, report: StackReport, seconds: number): string => {
  const { description: addresses, seeded, clusterDir } = report;
  const isExternal = clusterDir !== undefined && basename(clusterDir) !== 'postgres';
  const rows: [string, string][] = [
    ['Gateway', addresses.gatewayUrl],
    ['API docs', `${addresses.gatewayUrl}/api`],
    ['Inbox', addresses.inboxUrl ?? `(mail goes to ${withoutPassword(addresses.smtpUrl)})`],
    ['auth-service', addresses.authUrl],
    ['admin-service', addresses.adminUrl],
    ['PostgreSQL', withoutPassword(addresses.databaseUrl)],
    ['Valkey', withoutPassword(addresses.redisUrl)],
  ];
  return [
    '',
    `The platform is ready (${seconds.toFixed(1)} s).`,
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(14)} ${value}`),
    ...accountLines(config, seeded),
    '',
    ...(isExternal ? [`  Database files ${clusterDir} (its account cannot access the data directory)`] : []),
    `  Logs           ${join(config.dataDir, 'logs')}`,
    `  All addresses  ${join(config.dataDir, 'stack.json')} (with passwords)`,
    '  Stop           Ctrl-C',
    '',
  ].join('\n');
};

const runStack = async (config: StackConfig): Promise<void> => {
  const stack = createStack(config, (line) => console.log(line));
  let stoppedAt: number | undefined;
  let exitCode = 0;

  const stop = async () => {
    stoppedAt = Date.now();
    try {
      await stack.stop();
    } catch (error) {
      printError(error);
      exitCode = 1;
    }
    process.exit(exitCode);
  };
  const fail = (error: unknown) => {
    if (stoppedAt !== undefined) return; // a start step that the stop has aborted
    printError(error);
    exitCode = 1;
    void stop();
  };
  const onSignal = () => {
    if (stoppedAt === undefined) {
      console.log('\nStopping. A second Ctrl-C kills everything at once.');
      void stop();
    } else if (Date.now() - stoppedAt > sameSignalMilliseconds) {
      console.log('Killing everything.');
      exitCode = 1;
      stack.kill();
      setTimeout(() => process.exit(1), killMilliseconds);
    }
  };

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  process.on('uncaughtException', fail);
  // The terminal, or the reader of a pipe, may exit before the stack does.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    const report = await stack.start();
    console.log(formatSummary(config, report, performance.now() / 1000));
  } catch (error) {
    fail(error);
  }
};

try {
  await runStack(readStackConfig(process.env));
} catch (error) {
  printError(error);
  process.exitCode = 1;
}
