import type { HttpResponse } from '@platform/shared/testing/http-client';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';

/** No authenticator app of the tests shows this code in practice. */
export const WRONG_CODE = '000000';

export const expectFactorInvalid = (response: HttpResponse): void =>
  expectError(response, 401, 'SECOND_FACTOR_INVALID');
export const expectWrongPassword = (response: HttpResponse): void =>
  expectError(response, 400, 'CURRENT_PASSWORD_WRONG');
/** The account has a password, and the request none. */
export const expectPasswordMissing = (response: HttpResponse): void => {
  expectError(response, 400, 'VALIDATION_FAILED', '/body/currentPassword');
  expect(response.body.details.map(({ rule }: { rule: string }) => rule)).to.deep.equal(['required']);
};
export const expectChallengeInvalid = (response: HttpResponse): void =>
  expectError(response, 401, 'CHALLENGE_INVALID');

/** Allows the code of the same or an earlier time step again. */
export const forgetUsedStep = async (databaseUrl: string, userId: string): Promise<void> => {
  await queryDatabase(databaseUrl, 'update totp_factors set last_used_step = null where user_id = $1', [
    userId,
  ]);
};
