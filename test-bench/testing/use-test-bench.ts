import { join } from 'node:path';
import type { handledOperations } from '@platform/openapi/types/test-bench';
import {
  type ContractClient,
  createContractClient,
  readContract,
} from '@platform/shared/testing/contract-client';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { SERVICE_ENVIRONMENT } from '@platform/shared/testing/service-client';
import { shareStack } from '@platform/shared/testing/share-stack';
import { type StackFile, startStack } from '@platform/shared/testing/stack';

const contract = await readContract('test-bench');

const getRunning = shareStack('shared-test-bench', () =>
  startStack({ PAGES: 'on', ...SERVICE_ENVIRONMENT }, undefined, 'dev/test-bench.ts'),
);

type TestBench = StackFile & {
  testBench: { url: string; secret: string };
  /** The path of stack.json. */
  stackFile: string;
  /** A method for each operation of the test bench, with the secret. */
  client: ContractClient<handledOperations>;
};

/** The platform with a test bench that all suites of a test run share. */
export const useTestBench = (): (() => TestBench) => {
  let running: TestBench;
  before('start the test bench', async () => {
    const { stack, dataDir } = await getRunning();
    const { testBench } = stack;
    if (testBench === undefined) throw new Error('stack.json has no test bench');
    const { sendOrThrow } = createHttpClient(testBench.url, { timeoutSeconds: 60 });
    const own = { accessToken: testBench.secret };
    const client = createContractClient<handledOperations>(contract, sendOrThrow, own);
    running = { ...stack, testBench, stackFile: join(dataDir, 'stack.json'), client };
  });
  return () => running;
};

/** A label that no other test has. */
export const uniqueLabel = (): string => `test-${Math.random().toString(36).slice(2, 12)}`;
