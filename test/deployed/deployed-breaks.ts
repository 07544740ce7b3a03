// `npm run test:deployed`: plants one break at a time between check:deployed and a platform, and prints the check that notices it.
import { createRecords } from '@platform/shared/testing/records';
import { startStack } from '@platform/shared/testing/stack';
import { type Report, runSuite } from '@platform/shared/testing/suite';
import { type Break, createBreakingProxy, type PlantedBreak } from './breaking-proxy.ts';
import { ACCOUNT_BREAKS } from './breaks/account-breaks.ts';
import { REQUEST_BREAKS } from './breaks/request-breaks.ts';
import { ROUTE_BREAKS } from './breaks/route-breaks.ts';
import { WRITE_BREAKS } from './breaks/write-breaks.ts';
import { createAccounts, runChecks } from './run-checks.ts';

const TIMEOUT_SECONDS = 900;

/** The sections that a group of breaks needs; a whole run for each break would take several times as long. */
const GROUPS: readonly [only: RegExp, breaks: readonly PlantedBreak[]][] = [
  [/^(?:Public routes|Security headers|Other origins)$/, ROUTE_BREAKS],
  [/^(?:Invalid requests|Operations that need a token|Sign-in with a provider)$/, REQUEST_BREAKS],
  [/^(?:Session|Back-office|Sign-out)/, ACCOUNT_BREAKS],
  [/^(?:Session|New customer|Changes|Contact|End|Sign-out)/, WRITE_BREAKS],
];

const plantAll = async (report: Report): Promise<void> => {
  const { stack, stop } = await startStack();
  const records = createRecords(stack.databaseUrl);
  const accounts = await createAccounts(records);
  const write = { mailDomain: 'example.com', inboxUrl: stack.inboxUrl };
  /** The lines of the checks that fail. */
  const run = async (apply: Break[], only?: RegExp): Promise<string[]> => {
    const proxy = await createBreakingProxy(stack.gatewayUrl, apply);
    const { failed } = await runChecks(proxy.url, { accounts, origin: 'http://localhost:5173', write, only });
    await proxy.close();
    return failed;
  };
  const list = (failed: string[]): string => failed.map((text) => `\n    ${text}`).join('');
  const unbroken = await run([]);
  report.check(unbroken.length === 0, `no break: all checks pass${list(unbroken)}`);
  for (const [only, breaks] of GROUPS)
    for (const { name, apply, line } of breaks) {
      const failed = await run([apply], only);
      const noticed = failed.find((text) => line.test(text));
      report.check(noticed !== undefined, `${name}: ${noticed ?? `NOT NOTICED${list(failed)}`}`);
    }
  await records.close();
  await stop();
};

await runSuite({
  name: 'deployed-breaks',
  timeoutSeconds: TIMEOUT_SECONDS,
  run: plantAll,
});
