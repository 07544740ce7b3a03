// Attacks from outside on a running stack. Each line names the attack and its outcome.
import { startStack } from '@platform/shared/testing/stack';
import { type Report, runSuite } from '@platform/shared/testing/suite';
import { testAccounts } from './accounts.ts';
import { testCodeGuessing } from './code-guessing.ts';
import { testCrossOriginRequests } from './cross-origin.ts';
import { createFixture, type Fixture } from './fixture.ts';
import { testHeaders, testLogs } from './headers.ts';
import { testHtmlInjection } from './html-injection.ts';
import { testInjection } from './injection.ts';
import { testLimitPairs } from './limit-pairs.ts';
import { testPasswordGuessing } from './password-guessing.ts';
import { testPaths } from './paths.ts';
import { testPreHijacking } from './pre-hijacking.ts';
import { testDatabaseRights, testPrivilegeEscalation } from './privilege-escalation.ts';
import { testRequestBodies } from './request-bodies.ts';
import { testPipelining, testRequestSmuggling } from './request-smuggling.ts';
import { testChallenges } from './second-factor/challenges.ts';
import { testFactorEnumeration } from './second-factor/enumeration.ts';
import { testFactorGuessing } from './second-factor/guessing.ts';
import { testFactorInputs } from './second-factor/inputs.ts';
import { testOwnAccount } from './second-factor/own-account.ts';
import { testPasskeyAttacks } from './second-factor/passkey-attacks.ts';
import { testReplay } from './second-factor/replay.ts';
import { testRequiredFactor } from './second-factor/requirement.ts';
import { testStoredSecrets } from './second-factor/secrets.ts';
import { testSessions } from './sessions.ts';
import { testTokens } from './tokens.ts';

const ENVIRONMENT = { RATE_LIMIT_SCALE: '10000', LOG_LEVEL: 'info' };

const testSecondFactor = async (fixture: Fixture): Promise<void> => {
  await testReplay(fixture);
  await testChallenges(fixture);
  await testPasskeyAttacks(fixture);
  await testFactorGuessing(fixture);
  await testFactorEnumeration(fixture);
  await testFactorInputs(fixture);
  await testOwnAccount(fixture);
  // Last: it looks for secrets in everything that was stored.
  await testStoredSecrets(fixture);
};

const testOneStack = async (report: Report): Promise<void> => {
  const running = await startStack(ENVIRONMENT);
  const fixture = createFixture(running, report);
  try {
    await testTokens(fixture, running.dataDir);
    await testHeaders(fixture);
    await testRequestSmuggling(fixture);
    await testPipelining(fixture);
    await testPaths(fixture);
    await testCrossOriginRequests(fixture);
    await testInjection(fixture);
    await testHtmlInjection(fixture);
    await testSessions(fixture);
    await testAccounts(fixture);
    await testPrivilegeEscalation(fixture);
    await testPreHijacking(fixture);
    await testPasswordGuessing(fixture);
    await testCodeGuessing(fixture);
    await testRequestBodies(fixture);
    await testSecondFactor(fixture);
    await testDatabaseRights(fixture);
    // Last: it reads the log lines of all attacks above.
    await testLogs(fixture);
  } finally {
    await fixture.close();
    await running.stop();
  }
};

await runSuite({
  name: 'security',
  command: 'npm run test:security',
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
    report.value('attacks', counts.attacks);
    report.value('breaches', counts.breaches);
  },
});
