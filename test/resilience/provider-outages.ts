// `npm run test:resilience -- provider-outages`: the provider of OpenID Connect fails for 60 s under load. Passwords sign in as
// without the fault, and providers are unavailable at once.
import { createHttpClient } from '@platform/shared/testing/http-client';
import { waitFor } from '@platform/shared/testing/poll';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { type Report, runSuite } from '@platform/shared/testing/suite';
import { checkWatch, watchStack } from '@platform/shared/testing/watch-processes';
import { checkGrowth, checkPasswords, checkProviders, measure } from './provider-outages/checks.ts';
import { COMPANY, FAULTS, PERSON, type Provider, startProvider } from './provider-outages/faults.ts';
import { createSignInLoad, type SignInLoad } from './provider-outages/load.ts';

const ENVIRONMENT = { RATE_LIMIT_SCALE: '10000', LOG_LEVEL: 'warn' };
const SECONDS = 60;
/** Before and after the fault, for comparison. */
const SECONDS_WITHOUT = SECONDS / 2;
const COLUMNS = [
  ...['fault', 'password sign-ins', 'failed', 'p99 without', 'p99 with', 'ratio'],
  ...['provider sign-ins', 'waiting', 'slowest', 'growth of a process'],
];

type Setup = { report: Report; running: RunningStack; provider: Provider; load: SignInLoad };

const isSignedIn = async ({ oidc }: SignInLoad): Promise<boolean> => {
  const authorized = await oidc.authorize(COMPANY, 'device');
  return authorized.status === 200 && (await oidc.signInAs(COMPANY, PERSON)).status === 200;
};

const runFault = async (setup: Setup, name: string): Promise<unknown[]> => {
  const { report, running, provider, load } = setup;
  await waitFor('a sign-in with the provider', () => isSignedIn(load), 30);
  const without = await load.run(SECONDS_WITHOUT);
  const before = measure(running);
  let heal = async (): Promise<void> => undefined;
  let since = Number.POSITIVE_INFINITY;
  const during = await load.run(SECONDS, async () => {
    heal = (await FAULTS[name]?.(provider)) ?? heal;
    since = Date.now();
  });
  const growth = checkGrowth(report, name, before, running);
  await heal();
  const healed = performance.now();
  await waitFor('a sign-in with the provider', () => isSignedIn(load), 30);
  report.check(
    true,
    `${name}: signs in again ${((performance.now() - healed) / 1_000).toFixed(1)} s after its end`,
  );
  const after = await load.run(SECONDS_WITHOUT);
  const compared = { ...without, passwords: [...without.passwords, ...after.passwords] };
  const providers = during.providers.filter(({ startedAt }) => startedAt >= since);
  return [
    name,
    ...checkPasswords(report, name, compared, during),
    ...checkProviders(report, name, providers),
    growth,
  ];
};

await runSuite({
  name: 'provider-outages',
  timeoutSeconds: 900,
  run: async (report) => {
    const provider = await startProvider();
    const running = await startStack({ ...ENVIRONMENT, ...provider.environment });
    const client = createHttpClient(running.stack.gatewayUrl, { keepAlive: true, timeoutSeconds: 15 });
    try {
      const watching = watchStack(running);
      const load = await createSignInLoad(client);
      const rows: unknown[][] = [];
      for (const name of Object.keys(FAULTS))
        rows.push(await runFault({ report, running, provider, load }, name));
      checkWatch(report, await watching.stop());
      report.table('Sign-ins during an outage of the provider', COLUMNS, rows);
    } finally {
      client.close();
      await provider.kill();
      await running.stop();
    }
  },
});
