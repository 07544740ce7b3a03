import { ADMINISTRATOR, CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import type { Records } from '@platform/shared/testing/records';
import type { SuiteCounts } from '@platform/shared/testing/suite';
import { type Credentials, checkDeployment } from './check-deployment.ts';
import type { Options } from './config.ts';
import { fetchContract } from './contract.ts';

/** A customer and an administrator, with something in every list of the back office. */
export const createAccounts = async (records: Records): Promise<Credentials[]> => {
  const customer = await records.user(['CUSTOMER'], { isEmailVerified: true });
  const administrator = await records.user(['ADMIN'], { isEmailVerified: true });
  await records.project();
  await records.query(`insert into audit_records (action, target_type, target_id, request_id, address)
    values ('SIGN_IN_FAILED', 'USER', gen_random_uuid(), gen_random_uuid(), '127.0.0.1')`);
  return [
    { kind: CUSTOMER, ...customer },
    { kind: ADMINISTRATOR, ...administrator },
  ].map(({ kind, email }) => ({ kind, email, password: PASSWORD }));
};

type RunOptions = { accounts?: readonly Credentials[]; only?: RegExp | undefined } & Partial<
  Pick<Options, 'origin' | 'write'>
>;

/** Runs the checks in this process, fast; `failed` are the lines of the failed ones. */
export const runChecks = async (url: string, { accounts = [], origin, write, only }: RunOptions = {}) => {
  const counts: SuiteCounts = { passed: 0, failed: 0, skipped: 0 };
  const failed: string[] = [];
  const contract = await fetchContract(url);
  const { signal } = new AbortController();
  const run = { url, origin, write, requestsPerSecond: 1_000, contract, accounts, only, signal };
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
