import type { AccountKind, Device, TestAccount } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { type EnabledTotp, readChallenge } from '@platform/shared/testing/second-factor-client';
import { createVerifiedAccount, type RunningAuthService } from './auth-service.ts';

type Service = Pick<RunningAuthService, 'client' | 'records'>;

type AccountWithTotp = EnabledTotp & { account: TestAccount; device: Device };

/** Creates an account with an authenticator app. The returned device has enabled it. */
export const createAccountWithTotp = async (
  service: Service,
  kind: AccountKind,
): Promise<AccountWithTotp> => {
  const account = await createVerifiedAccount(service, kind);
  const device = await service.client(kind).openDevice(account);
  return { account, device, ...(await service.client(kind).enableTotp(device)) };
};

export type WaitingSignIn = { challenge: string; fingerprint: string };

export const startSignIn = async (
  { client }: Pick<RunningAuthService, 'client'>,
  kind: AccountKind,
  { email, password }: Pick<TestAccount, 'email' | 'password'>,
  headers: Record<string, string | undefined> = {},
): Promise<WaitingSignIn> => {
  const fingerprint = uniqueFingerprint();
  const challenge = readChallenge(await client(kind).signIn({ email, password }, fingerprint, headers));
  return { challenge, fingerprint };
};

/** No authenticator app of the tests shows this code in practice. */
export const WRONG_CODE = '000000';

export const expectFactorInvalid = (response: HttpResponse): void =>
  expectError(response, 401, 'SECOND_FACTOR_INVALID');
export const expectWrongPassword = (response: HttpResponse): void =>
  expectError(response, 400, 'CURRENT_PASSWORD_WRONG');
export const expectChallengeInvalid = (response: HttpResponse): void =>
  expectError(response, 401, 'CHALLENGE_INVALID');

/** Allows the code of the same or an earlier time step again. */
export const forgetUsedStep = async (databaseUrl: string, userId: string): Promise<void> => {
  await queryDatabase(databaseUrl, 'update totp_factors set last_used_step = null where user_id = $1', [
    userId,
  ]);
};
