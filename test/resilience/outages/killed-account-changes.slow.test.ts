import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import { CHANGES, type ChangeName, type PreparedChange } from './account-changes.ts';
import { type Breakpoints, createBreakpoints, type TableStage } from './breakpoints.ts';

/** The stages in the order of the writes. Postgres completes a commit that has begun. */
const STAGES: Record<ChangeName, readonly TableStage[]> = {
  'first sign-in': ['token_records before', 'token_records after', 'token_records commit'],
  'repeated sign-in': ['token_records before', 'token_records after', 'token_records commit'],
  refresh: ['token_records commit'],
  'TOTP confirmation': [
    ...(['totp_factors before', 'users after', 'audit_records after'] as const),
    ...(['recovery_codes before', 'recovery_codes after', 'users commit'] as const),
  ],
  'second step with TOTP': [
    ...(['totp_factors before', 'totp_factors after', 'token_records before'] as const),
    ...(['sessions after', 'token_records commit'] as const),
  ],
  'second step with a recovery code': [
    ...(['recovery_codes after', 'token_records after', 'token_records commit'] as const),
  ],
  'passkey registration': ['passkeys after', 'audit_records after', 'passkeys commit'],
  'e-mail change': ['users before', 'users after', 'audit_records after', 'users commit'],
  deletion: [
    ...(['token_records before', 'recovery_codes after', 'users before'] as const),
    ...(['users after', 'audit_records after', 'users commit'] as const),
  ],
};

const CASES = (Object.keys(STAGES) as ChangeName[]).flatMap((name) =>
  STAGES[name].map((stage) => ({ name, stage, isComplete: stage.endsWith('commit') })),
);

/** Resolves when the stopped backends of the killed auth-service have ended, and another one is ready. */
const waitForRestart = async (
  { stack, read }: RunningStack,
  killedPid: number,
  backends: readonly number[],
): Promise<void> => {
  await waitFor('the backends of the killed process have ended', async () => {
    const text = 'select 1 from pg_stat_activity where pid = any($1)';
    return (await queryDatabase(stack.databaseUrl, text, [backends])).length === 0;
  });
  await waitFor('auth-service is restarted', async () => {
    const { pids, opsUrls } = await read();
    if (pids.auth === killedPid || !pids.auth) return false;
    return (await fetch(`${opsUrls.gateway}/readyz`)).ok && (await fetch(`${opsUrls.auth}/readyz`)).ok;
  });
};

describe('kill -9 of auth-service during a change of an account', () => {
  let stack: RunningStack;
  let breakpoints: Breakpoints | undefined;
  const prepared: PreparedChange[] = [];

  // All cases share one kill, because a kill and a restart for each would take a minute.
  before('stop each change at its stage, kill auth-service, release the database', async () => {
    stack = await startStack({ DATABASE_CONNECTIONS: '50' });
    const { databaseUrl, pids } = stack.stack;
    for (const { name } of CASES) prepared.push(await CHANGES[name](stack.stack));
    breakpoints = await createBreakpoints(databaseUrl);
    for (const [index, { stage }] of CASES.entries())
      await breakpoints.set(prepared[index]?.userId ?? '', stage);
    const responses = prepared.map(({ send }) => send());
    const stopped = await breakpoints.waitUntilStopped(CASES.length);
    process.kill(pids.auth, 'SIGKILL');
    await breakpoints.release();
    for (const { status, text } of await Promise.all(responses)) expect(status, text).to.be.at.least(502);
    await waitForRestart(stack, pids.auth, stopped);
  });
  after('stop the stack', async () => {
    await breakpoints?.release();
    await stack?.stop();
  });

  for (const [index, { name, stage, isComplete }] of CASES.entries())
    it(`${isComplete ? 'completes' : 'undoes'} a ${name} at "${stage}"`, async () => {
      const change = prepared[index];
      if (!change) throw new Error('The case was not prepared');
      await (isComplete ? change.expectComplete() : change.expectUndone());
    });
});
