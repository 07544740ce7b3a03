import {
  type AuthClient,
  CUSTOMER,
  createAuthClient,
  type Device,
  EMPLOYEE,
  type TestAccount,
} from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { countSessions } from '@platform/shared/testing/query-database';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { type StackWatch, watchStack } from '@platform/shared/testing/watch-processes';
import { expect } from 'chai';
import { type Breakpoints, createBreakpoints, type TableStage } from './breakpoints.ts';
import { waitForRestart } from './killed-auth-service.ts';

type Action = 'first sign-in' | 'repeated sign-in' | 'refresh';
/** Where a statement of sign-in or refresh stops, in execution order. */
const STAGES = {
  'at the read': undefined,
  'at the lock': undefined,
  'before the write': 'token_records before',
  'after the write': 'token_records after',
  'at the commit': 'token_records commit',
} as const satisfies Record<string, TableStage | undefined>;
type Stage = keyof typeof STAGES;

type Case = { action: Action; stage: Stage; outcome: 'undone' | 'complete' };

/**
 * Each action is stopped at its stage, then auth-service is killed. Postgres finishes a statement that it has received: a
 * refresh is one statement, but a sign-in is a transaction, whose commit comes with a later message.
 */
const CASES: Case[] = (['first sign-in', 'repeated sign-in', 'refresh'] as const).flatMap((action) => {
  const outcome = action === 'refresh' ? 'complete' : 'undone';
  return (Object.keys(STAGES) as Stage[]).map((stage) => ({
    action,
    stage,
    outcome: stage === 'at the commit' ? 'complete' : outcome,
  }));
});

type CaseFixture = Case & {
  client: AuthClient;
  account: TestAccount;
  fingerprint: string;
  /** The session before the action; undefined for a first sign-in. */
  before: Device | undefined;
};

describe('kill -9 of auth-service during a statement', () => {
  let stack: RunningStack;
  let breakpoints: Breakpoints | undefined;
  let watching: StackWatch;
  const fixtures: CaseFixture[] = [];

  const createFixture = async (testCase: Case): Promise<CaseFixture> => {
    // The lock that stops the reads is on the customers' table, where it would stop writes, too.
    const kind = testCase.stage === 'at the read' ? CUSTOMER : EMPLOYEE;
    const client = createAuthClient(stack.stack.gatewayUrl, kind);
    const account = await client.createAccount();
    const fingerprint = uniqueFingerprint();
    const isFirst = testCase.action === 'first sign-in';
    const before = isFirst ? undefined : await client.openDevice(account, fingerprint);
    return { ...testCase, client, account, fingerprint, before };
  };

  /** Resolves with the status that the gateway returns for the killed service. */
  const act = async ({ action, client, account, fingerprint, before }: CaseFixture): Promise<number> => {
    const { email, password } = account;
    const response =
      action === 'refresh' && before
        ? await client.refresh(before)
        : await client.signIn({ email, password }, fingerprint);
    return response.status;
  };

  // One kill for all cases: a kill and a restart for each would take a minute.
  before('stop each action at its stage, kill auth-service, release the database', async () => {
    stack = await startStack({ DATABASE_CONNECTIONS: '30' });
    const { databaseUrl, pids } = stack.stack;
    watching = watchStack(stack);
    for (const testCase of CASES) fixtures.push(await createFixture(testCase));
    breakpoints = await createBreakpoints(databaseUrl);
    const reading = fixtures.filter(({ stage }) => stage === 'at the read');
    const writing = fixtures.filter((fixture) => !reading.includes(fixture));
    for (const { account, stage } of writing) {
      const tableStage = STAGES[stage];
      await (tableStage ? breakpoints.set(account.userId, tableStage) : breakpoints.lockRows(account.userId));
    }

    const refreshing = writing.filter(({ action }) => action === 'refresh');
    const signingIn = writing.filter((fixture) => !refreshing.includes(fixture));
    const statuses: Promise<number>[] = [];
    // Concurrent refreshes would share a statement.
    for (const fixture of refreshing) {
      statuses.push(act(fixture));
      await breakpoints.waitUntilStopped(statuses.length);
    }
    statuses.push(...signingIn.map(act));
    await breakpoints.waitUntilStopped(writing.length);
    await breakpoints.stopReads();
    statuses.push(...reading.map(act));
    const stopped = await breakpoints.waitUntilStopped(fixtures.length);
    watching.expectEnd('auth');
    process.kill(pids.auth, 'SIGKILL');
    expect((await Promise.all(statuses)).filter((status) => status < 502)).to.deep.equal([]);
    await breakpoints.release();
    await waitForRestart(stack, pids.auth, stopped);
    await watching.expectRunning('auth');
  });
  after('stop the stack', async () => {
    await breakpoints?.release();
    await stack?.stop();
  });

  const count = ({ account }: CaseFixture) => countSessions(stack.stack.databaseUrl, account.userId);

  const expectConsistentCounts = async (fixture: CaseFixture): Promise<void> => {
    const expected = fixture.before !== undefined || fixture.outcome === 'complete' ? 1 : 0;
    expect(await count(fixture)).to.deep.equal({ sessions: expected, tokenRecords: expected });
  };

  const expectOldTokens = async ({ client, before, outcome }: CaseFixture): Promise<void> => {
    if (!before) return;
    expect((await client.me(before)).status).to.equal(outcome === 'complete' ? 401 : 200);
    if (outcome === 'undone') await client.refreshed(before);
  };

  const expectSignInWorks = async (fixture: CaseFixture): Promise<void> => {
    const { client, account, fingerprint, before } = fixture;
    const after = await client.openDevice(account, fingerprint);
    expect(after.sessionId).to.equal(before?.sessionId ?? after.sessionId);
    expect((await client.me(after)).status).to.equal(200);
    expect(await count(fixture)).to.deep.equal({ sessions: 1, tokenRecords: 1 });
  };

  for (const [index, { action, stage, outcome }] of CASES.entries())
    it(`leaves a ${action} ${stage} ${outcome}, and the user can sign in`, async () => {
      const fixture = fixtures[index];
      if (!fixture) throw new Error('The case was not prepared');
      await expectConsistentCounts(fixture);
      await expectOldTokens(fixture);
      await expectSignInWorks(fixture);
    });

  it('interrupts no metrics of the other processes, and ends none of them', async () => {
    const { counts, failures } = await watching.stop();
    expect(failures).to.deep.equal([]);
    expect(Object.keys(counts)).to.have.members(['gateway', 'auth', 'admin', 'worker']);
  });
});
