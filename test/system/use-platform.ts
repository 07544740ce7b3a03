import { type AuthClient, createAuthClient, type Kind } from '@platform/shared/testing/auth-client';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { sharedStack } from '@platform/shared/testing/shared-stack';
import type { RunningStack, StackFile } from '@platform/shared/testing/stack';
import { useRunning } from '@platform/shared/testing/use-running';

type Platform = {
  running: RunningStack;
  stack: StackFile;
  gatewayUrl: string;
  /** The client of a kind of accounts at the gateway. */
  as: (kind: Kind) => AuthClient;
  records: Records;
};

/** The shared stack for the tests of one `describe`, with records that are closed after them. */
export const usePlatform = (): (() => Platform) =>
  useRunning(async () => {
    const running = await sharedStack();
    const { stack } = running;
    const { gatewayUrl } = stack;
    const records = createRecords(stack.databaseUrl);
    const as: Platform['as'] = (kind) => createAuthClient(gatewayUrl, kind, undefined, records);
    return { running, stack, gatewayUrl, as, records, stop: records.close };
  });
