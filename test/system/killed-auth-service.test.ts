import {
  type AuthClient,
  CUSTOMER,
  createAuthClient,
  type Device,
  EMPLOYEE,
  type TestAccount,
} from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { waitFor } from '@platform/shared/testing/poll';
import { countSessions, queryDatabase } from '@platform/shared/testing/query-database';
import { type Scraping, scrapeStack } from '@platform/shared/testing/scrape-metrics';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import { type Breakpoints, createBreakpoints, type Stage } from './breakpoints.ts';

type Action = 'first sign-in' | 'sign-in again' | 'refresh';
type Story = { action: Action; stage: Stage; ends: 'as before' | 'done' };

/**
 * Each is stopped at its stage, then auth-service is killed. What sign-in and refresh write is one statement: once the
 * database has it, the database brings it to its end, whoever waits for it. Only a sign-in reads before it writes.
 */
const STORIES: Story[] = (['first sign-in', 'sign-in again', 'refresh'] as const).flatMap((action) => [
  { action, stage: 'at the read', ends: action === 'refresh' ? 'done' : 'as before' },
  { action, stage: 'at the lock', ends: 'done' },
  { action, stage: 'before the write', ends: 'done' },
  { action, stage: 'after the write', ends: 'done' },
  { action, stage: 'at the commit', ends: 'done' },
]);

/** What a story has left behind when auth-service is back. */
type Scene = Story & {
  client: AuthClient;
  account: TestAccount;
  fingerprint: string;
  /** Signed in before, unless this was to be the first time. */
  before: Device | undefined;
};

const restarted = async (stack: RunningStack, killed: number): Promise<void> => {
  await waitFor('auth-service is back', async () => {
    const { pids, opsUrls } = await stack.read();
    if (pids.auth === killed || !pids.auth) return false;
    return (await fetch(`${opsUrls.gateway}/readyz`)).ok && (await fetch(`${opsUrls.auth}/readyz`)).ok;
  });
};

describe('When auth-service is killed in the middle', () => {
  let stack: RunningStack;
  let breakpoints: Breakpoints | undefined;
  let scraping: Scraping;
  const scenes: Scene[] = [];

  const prepare = async (story: Story): Promise<Scene> => {
    // The lock that stops the reads is on the customers' table, which a write of theirs would be holding.
    const kind = story.stage === 'at the read' ? CUSTOMER : EMPLOYEE;
    const client = createAuthClient(stack.stack.gatewayUrl, kind);
    const account = await client.createAccount();
    const fingerprint = uniqueFingerprint();
    const before =
      story.action === 'first sign-in' ? undefined : await client.openDevice(account, fingerprint);
    return { ...story, client, account, fingerprint, before };
  };

  /** Never answered as it should be: the service dies first. */
  const act = async ({ action, client, account, fingerprint, before }: Scene): Promise<number> => {
    const { email, password } = account;
    const answer =
      action === 'refresh' && before
        ? await client.refresh(before)
        : await client.signIn({ email, password }, fingerprint);
    return answer.status;
  };

  // All stories meet the same kill: a kill and a restart for each would take a minute.
  before('stop each story at its stage, kill auth-service, let the database go on', async function () {
    this.timeout(90_000);
    stack = await startStack({ DATABASE_CONNECTIONS: '30' });
    const { databaseUrl, pids, opsUrls } = stack.stack;
    scraping = scrapeStack(stack.stack);
    for (const story of STORIES) scenes.push(await prepare(story));
    breakpoints = await createBreakpoints(databaseUrl);
    const reading = scenes.filter(({ stage }) => stage === 'at the read');
    const writing = scenes.filter((scene) => !reading.includes(scene));
    for (const { account, stage } of writing) await breakpoints.set(account.userId, stage);

    const answers = writing.map(act);
    await breakpoints.untilStopped(writing.length);
    await breakpoints.stopReads();
    answers.push(...reading.map(act));
    const stopped = await breakpoints.untilStopped(scenes.length);
    scraping.unwatch(opsUrls.auth);
    process.kill(pids.auth, 'SIGKILL');
    expect((await Promise.all(answers)).filter((status) => status < 502)).to.deep.equal([]);
    await breakpoints.release();
    await waitFor('the database has done with the dead', async () => {
      const text = 'select 1 from pg_stat_activity where pid = any($1)';
      return (await queryDatabase(databaseUrl, text, [stopped])).length === 0;
    });
    await restarted(stack, pids.auth);
    scraping.watch('auth', opsUrls.auth);
  });
  after('stop the stack', async function () {
    this.timeout(30_000);
    await breakpoints?.release();
    await stack?.stop();
  });

  const counts = ({ account }: Scene) => countSessions(stack.stack.databaseUrl, account.userId);

  const expectNothingHalfDone = async (scene: Scene): Promise<void> => {
    const one = scene.before !== undefined || scene.ends === 'done' ? 1 : 0;
    expect(await counts(scene)).to.deep.equal({ sessions: one, tokenRecords: one });
  };

  const expectOldPair = async ({ client, before, ends }: Scene): Promise<void> => {
    if (!before) return;
    expect((await client.me(before)).status).to.equal(ends === 'done' ? 401 : 200);
    if (ends === 'as before') await client.refreshed(before);
  };

  const expectSignInWorks = async (scene: Scene): Promise<void> => {
    const { client, account, fingerprint, before } = scene;
    const after = await client.openDevice(account, fingerprint);
    expect(after.sessionId).to.equal(before?.sessionId ?? after.sessionId);
    expect((await client.me(after)).status).to.equal(200);
    expect(await counts(scene)).to.deep.equal({ sessions: 1, tokenRecords: 1 });
  };

  for (const [index, { action, stage, ends }] of STORIES.entries())
    it(`a ${action} that was ${stage} is ${ends}, and the user can sign in`, async () => {
      const scene = scenes[index];
      if (!scene) throw new Error('The story was not played');
      await expectNothingHalfDone(scene);
      await expectOldPair(scene);
      await expectSignInWorks(scene);
    });

  it('every process serves its metrics meanwhile, and no other one ends', async () => {
    const { counts, failures } = await scraping.stop();
    expect(failures).to.deep.equal([]);
    expect(Object.keys(counts)).to.have.members(['gateway', 'auth', 'admin', 'worker']);
  });
});
