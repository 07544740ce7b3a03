import type { AccountKind } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import type { TestRedis } from '@platform/shared/testing/test-redis';
import { expect } from 'chai';
import type { RunningAuthService } from '../auth-service.ts';

type Service = Pick<RunningAuthService, 'client'>;
export type Attempt = { email: string; password?: string; from?: string | undefined; fingerprint?: string };

/** On a busy machine, more would wait longer for their hash than auth-service allows. */
const CONCURRENT_ATTEMPTS = 20;
/** Attempts without a delay. */
export const FREE_ATTEMPTS = 5;
export const range = (length: number) => Array.from({ length }, (_, index) => index);
/** A client address, which the service trusts in X-Forwarded-For from this machine. */
export const getAddress = (index: number): string => `198.18.${Math.floor(index / 250)}.${index % 250}`;

/** Returns other networks with each call. */
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
) => service.client(kind).signIn({ email, password }, fingerprint, { 'X-Forwarded-For': from });

export const expectInvalidCredentials = (response: HttpResponse): void =>
  expectError(response, 401, 'INVALID_CREDENTIALS');
export const expectThrottled = (response: HttpResponse, seconds?: number): void => {
  expectError(response, 429, 'RATE_LIMITED');
  const retryAfter = Number(response.headers['retry-after']);
  expect(retryAfter).to.be.a('number').that.is.at.least(1);
  if (seconds !== undefined) expect(retryAfter).to.equal(seconds);
};

/** Wrong passwords from many networks, four each, so that no network is delayed. */
export const failFromManyNetworks = async (
  service: Service,
  kind: AccountKind,
  email: string,
  times: number,
  nextNetwork: () => string,
): Promise<void> => {
  const networks = range(Math.ceil(times / 4)).map(nextNetwork);
  for (let sent = 0; sent < times; sent += CONCURRENT_ATTEMPTS) {
    const count = Math.min(CONCURRENT_ATTEMPTS, times - sent);
    const responses = await Promise.all(
      range(count).map((index) =>
        attemptSignIn(service, kind, { email, from: networks[Math.floor((sent + index) / 4)] }),
      ),
    );
    for (const response of responses) expectInvalidCredentials(response);
  }
};

/** Lets an account have so many consecutive failures, without a pause. A hundred pause it. */
export const setFailures = async (
  databaseUrl: string,
  userId: string,
  secret: 'password' | 'second-factor',
  failures: number,
): Promise<void> => {
  const text = `insert into failed_guesses (user_id, secret, failures) values ($1, $2, $3)
    on conflict (user_id, secret) do update set failures = $3, paused_until = null`;
  await queryDatabase(databaseUrl, text, [userId, secret, failures]);
};

const setDelays = async ({ client }: TestRedis, until: number): Promise<void> => {
  for await (const keys of client.scanIterator({ MATCH: '*-failures:*', COUNT: 1_000 }))
    for (const key of keys)
      for (const field of await client.hKeys(key))
        if (field.endsWith(':until')) await client.hSet(key, field, until);
};

export const endDelays = (redis: TestRedis): Promise<void> => setDelays(redis, Date.now() - 1);
/** To a minute: on a busy machine, the first delays end before the next request. */
export const extendDelays = (redis: TestRedis): Promise<void> => setDelays(redis, Date.now() + 60_000);
