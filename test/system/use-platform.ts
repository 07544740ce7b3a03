import { createRecords, type Records } from '@platform/shared/testing/records';
import { sharedStack } from '@platform/shared/testing/shared-stack';
import type { RunningStack, StackFile } from '@platform/shared/testing/stack';

type Platform = { running: RunningStack; stack: StackFile; gatewayUrl: string; records: Records };

/** The shared stack for the tests of one `describe`, with records that are closed after them. */
export const usePlatform = (): (() => Platform) => {
  let platform: Platform | undefined;
  before('start the stack', async () => {
    const running = await sharedStack();
    const { stack } = running;
    platform = { running, stack, gatewayUrl: stack.gatewayUrl, records: createRecords(stack.databaseUrl) };
  });
  after('close the database', () => platform?.records.close());
  return () => {
    if (!platform) throw new Error('The stack is not running');
    return platform;
  };
};
