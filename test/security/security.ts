// Attacks from outside on a running stack. Each line names the attack and its outcome.
import { startStack } from '@platform/shared/testing/stack';
import { type Report, runSuite } from '@platform/shared/testing/suite';
import { testCrossOriginRequests } from './cross-origin.ts';
import { testEnumeration } from './enumeration.ts';
import { createFixture } from './fixture.ts';
import { testHeaders, testLogs } from './headers.ts';
import { testHtmlInjection } from './html-injection.ts';
import { testInjection } from './injection.ts';
import { testLimitPairs } from './limit-pairs.ts';
import { testPaths } from './paths.ts';
import { testPreHijacking } from './pre-hijacking.ts';
import { startProviders } from './providers/fixture.ts';
import { testProviders } from './providers.ts';
import { testRequestSmuggling } from './request-smuggling.ts';
import { testRequiredFactor } from './requirement.ts';
import { testStoredSecrets } from './secrets.ts';
import { testSessions } from './sessions.ts';
import { testTokens } from './tokens.ts';

const ENVIRONMENT = { RATE_LIMIT_SCALE: '10000', LOG_LEVEL: 'info' };

const testOneStack = async (report: Report): Promise<void> => {
  const providers = await startProviders();
  const running = await startStack({ ...ENVIRONMENT, ...providers.environment });
  const fixture = createFixture(running, report);
  try {
    await testTokens(fixture, running.dataDir);
    await testHeaders(fixture);
    await testRequestSmuggling(fixture);
    await testPaths(fixture);
    await testCrossOriginRequests(fixture);
    await testInjection(fixture);
    await testHtmlInjection(fixture);
    await testSessions(fixture);
    await testPreHijacking(fixture, providers);
    await testProviders(fixture, providers);
    await testEnumeration(fixture);
    await testStoredSecrets(fixture);
    // Last: it reads the log lines of all attacks above.
    await testLogs(fixture);
  } finally {
    await fixture.close();
    await running.stop();
    await providers.stop();
  }
};

await runSuite({
  name: 'security',
  timeoutSeconds: 600,
  run: async (report) => {
    const counts = { attacks: 0, breaches: 0 };
    const check: Report['check'] = (holds, text) => {
      counts.attacks += 1;
      if (!holds) counts.breaches += 1;
      report.check(holds, text);
    };
    await testOneStack({ ...report, check });
    await testRequiredFactor({ ...report, check });
    await testLimitPairs({ ...report, check });
  },
});
