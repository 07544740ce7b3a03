import type { AccountKind } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import type { ComposedAuthService } from './auth-service.ts';

type Service = Pick<ComposedAuthService, 'as'>;
type Database = Pick<ComposedAuthService, 'databaseUrl'>;
export type Attempt = { email: string; password?: string; from?: string | undefined; fingerprint?: string };

/** The number of failed attempts that cause no delay. */
export const FREE_ATTEMPTS = 5;
export const range = (length: number) => Array.from({ length }, (_, index) => index);
/** Returns a client address, which the service trusts in X-Forwarded-For from this machine. */
export const getAddress = (index: number): string => `198.18.${Math.floor(index / 250)}.${index % 250}`;

/** The returned function returns another network with each call. */
export const createNetworks = (): (() => string) => {
  let count = 0;
  return () => {
    count += 1;
    return getAddress(count);
  };
};

export const attemptSignIn = (
  service: Service,
  kind: AccountKind,
  { email, password = WRONG_PASSWORD, from, fingerprint = uniqueFingerprint() }: Attempt,
) =>
  service.as(kind).signIn({ fingerprint, body: { email, password }, headers: { 'X-Forwarded-For': from } });

export const expectInvalidCredentials = (response: HttpResponse): void =>
  expectError(response, 401, 'INVALID_CREDENTIALS');
export const expectThrottled = (response: HttpResponse, seconds?: number): void => {
  expectError(response, 429, 'RATE_LIMITED');
  const retryAfter = Number(response.headers['retry-after']);
  expect(retryAfter).to.be.a('number').that.is.at.least(1);
  if (seconds !== undefined) expect(retryAfter).to.equal(seconds);
};

/**
 * Sets the number of consecutive failures of an account without starting a pause. A hundred failures start
 * one.
 */
export const setFailures = async (
  databaseUrl: string,
  userId: string,
  secret: 'password' | 'second-factor' | 'code',
  failures: number,
): Promise<void> => {
  const text = `insert into failed_guesses (subject, secret, scope, failures, pending, expires_at)
    values ($1, $2, 'account', $3, 0, 'infinity')
    on conflict (subject, secret) do update set failures = $3, pending = 0, waits_until = now(), expires_at = 'infinity'`;
  await queryDatabase(databaseUrl, text, [userId, secret, failures]);
};

const setDelays = async ({ databaseUrl }: Database, until: string): Promise<void> => {
  const text = `update failed_guesses set waits_until = ${until} where scope like '%network' and failures >= 5`;
  await queryDatabase(databaseUrl, text);
};

export const endDelays = (database: Database): Promise<void> => setDelays(database, 'now()');
/** Extends the delays to a minute, because on a busy machine the first delays end before the next request. */
export const extendDelays = (database: Database): Promise<void> =>
  setDelays(database, "now() + interval '1 minute'");
