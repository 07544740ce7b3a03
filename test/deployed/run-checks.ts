import type { SuiteCounts } from '@platform/shared/testing/suite';
import { type Credentials, checkDeployment } from './check-deployment.ts';
import type { Options } from './config.ts';
import { fetchContract } from './contract.ts';

type RunOptions = { accounts?: readonly Credentials[] } & Partial<Pick<Options, 'origin' | 'write'>>;

/** Runs the checks in this process, fast; `failed` are the lines of the failed ones. */
export const runChecks = async (url: string, { accounts = [], origin, write }: RunOptions = {}) => {
  const counts: SuiteCounts = { passed: 0, failed: 0, skipped: 0 };
  const failed: string[] = [];
  const contract = await fetchContract(url);
  const { signal } = new AbortController();
  const run = { url, origin, write, requestsPerSecond: 1_000, contract, accounts, signal };
  await checkDeployment(run, {
    check: (holds, text) => {
      counts[holds ? 'passed' : 'failed'] += 1;
      if (!holds) failed.push(text);
    },
    skip: () => {
      counts.skipped += 1;
    },
    log: () => undefined,
  });
  return { counts, failed };
};
