import { type AuthClient, createAuthClient, type Kind } from '@platform/shared/testing/auth-client';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { sharedStack } from '@platform/shared/testing/shared-stack';
import { type RunningStack, type StackFile, startStack } from '@platform/shared/testing/stack';
import { useRunning } from '@platform/shared/testing/use-running';

type Platform = {
  running: RunningStack;
  stack: StackFile;
  gatewayUrl: string;
  /** The client of a kind of accounts at the gateway. */
  as: (kind: Kind) => AuthClient;
  records: Records;
};

/**
 * The stack that all workers share, or one of its own for tests that another worker's writes would disturb,
 * for the tests of one `describe`. The records are closed after them.
 */
export const usePlatform = ({ isShared = true } = {}): (() => Platform) =>
  useRunning(async () => {
    const running = await (isShared ? sharedStack() : startStack());
    const { stack } = running;
    const { gatewayUrl } = stack;
    const records = createRecords(stack.databaseUrl);
    const as: Platform['as'] = (kind) => createAuthClient(gatewayUrl, kind, undefined, records);
    const stop = async (): Promise<void> => {
      await records.close();
      if (!isShared) await running.stop();
    };
    return { running, stack, gatewayUrl, as, records, stop };
  });
