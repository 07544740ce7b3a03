import { ADMINISTRATOR, CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import type { Records } from '@platform/shared/testing/records';
import { type Credentials, checkDeployment } from './check-deployment.ts';
import type { Options } from './config.ts';
import { fetchContract } from './contract.ts';

/** Creates a customer and an administrator, with at least one row in every list of the back office. */
export const createAccounts = async (records: Records): Promise<Credentials[]> => {
  const customer = await records.user(['CUSTOMER'], { isEmailVerified: true });
  const administrator = await records.user(['ADMIN'], { isEmailVerified: true });
  await records.project();
  await records.team();
  await records.query(`insert into audit_records (action, target_type, target_id, request_id, address)
    values ('SIGN_IN_FAILED', 'USER', gen_random_uuid(), gen_random_uuid(), '127.0.0.1')`);
  return [
    { kind: CUSTOMER, ...customer },
    { kind: ADMINISTRATOR, ...administrator },
  ].map(({ kind, email }) => ({ kind, email, password: PASSWORD }));
};

type RunOptions = { accounts?: readonly Credentials[] } & Partial<
  Pick<Options, 'origin' | 'servicePaths' | 'write' | 'release' | 'stackFile'>
>;

/** Runs the checks in this process without pacing. Returns the lines of the failed ones. */
export const findFailures = async (
  url: string,
  { accounts = [], origin, servicePaths = [], write, release, stackFile }: RunOptions,
): Promise<string[]> => {
  const failed: string[] = [];
  const contract = await fetchContract(url, release);
  const { signal } = new AbortController();
  const options = { url, origin, servicePaths, write, requestsPerSecond: 1_000, stackFile };
  const run = { ...options, contract, accounts, signal };
  await checkDeployment(run, (text, mark) => mark === '✗' && failed.push(text));
  return failed;
};
