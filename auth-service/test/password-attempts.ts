import type { AccountKind } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { expectError } from '@platform/shared/testing/responses';
import type { TestRedis } from '@platform/shared/testing/test-redis';
import { expect } from 'chai';
import type { RunningAuthService } from './auth-service.ts';

type Service = Pick<RunningAuthService, 'client'>;
/** Whose password is tried, with which one, from where, on which device. */
export type Try = { email: string; password?: string; from?: string; fingerprint?: string };

/** Attempts without a delay. */
export const FREE = 5;
export const range = (length: number) => Array.from({ length }, (_, index) => index);
/** A client address: the service trusts the gateway, which is on this machine as the tests are. */
export const source = (index: number): string => `198.18.${Math.floor(index / 250)}.${index % 250}`;

export const attempt = (
  service: Service,
  kind: AccountKind,
  { email, password = WRONG_PASSWORD, from, fingerprint = uniqueFingerprint() }: Try,
) => service.client(kind).signIn({ email, password }, fingerprint, { 'X-Forwarded-For': from });

export const expectWrong = (answer: HttpResponse): void => expectError(answer, 401, 'INVALID_CREDENTIALS');
export const expectThrottled = (answer: HttpResponse, seconds?: number): void => {
  expectError(answer, 429, 'RATE_LIMITED');
  const retryAfter = Number(answer.headers['retry-after']);
  expect(retryAfter).to.be.a('number').that.is.at.least(1);
  if (seconds !== undefined) expect(retryAfter).to.equal(seconds);
};

/** Wrong passwords from many networks, four each, so that no network is delayed. */
export const failFromManyNetworks = async (
  service: Service,
  kind: AccountKind,
  email: string,
  times: number,
): Promise<void> => {
  const answers = await Promise.all(
    range(times).map((index) => attempt(service, kind, { email, from: source(Math.floor(index / 4)) })),
  );
  for (const answer of answers) expectWrong(answer);
};

/** As if the delays in force were over. */
export const endDelays = async ({ client }: TestRedis): Promise<void> => {
  for await (const keys of client.scanIterator({ MATCH: '*-failures:*', COUNT: 1_000 }))
    for (const key of keys)
      if ((await client.type(key)) === 'hash') await client.hSet(key, 'until', Date.now() - 1);
};
