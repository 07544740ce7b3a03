import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import type { RunningStack } from '@platform/shared/testing/stack';

/** Resolves when the stopped backends of the killed auth-service have ended, and another one is ready. */
export const waitForRestart = async (
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
