import { setTimeout as delay } from 'node:timers/promises';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { createHttpClient, formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { countDeadlocks } from '@platform/shared/testing/query-database';
import { type Member, type Race, type RaceFixture, range } from './fixture.ts';

const ACCOUNTS = 6;

/**
 * A device signs in and signs out at the same time. Directly at auth-service and with several accounts at once:
 * otherwise the two rarely overlap in Postgres.
 */
export const createSignOutRace = async (fixture: RaceFixture): Promise<Race> => {
  const { databaseUrl, authUrl } = fixture.stack;
  const client = createHttpClient(authUrl, { keepAlive: true, timeoutSeconds: 10 });
  const auth = createAuthClient(authUrl, CUSTOMER, client.sendOrThrow);
  const deadlocksBefore = await countDeadlocks(databaseUrl);
  const members = await Promise.all(range(ACCOUNTS).map(() => fixture.signUp()));
  const fingerprint = uniqueFingerprint();

  let signInMilliseconds = 10;
  const signIn = async ({ email, password }: Member): Promise<HttpResponse> => {
    const response = await auth.signIn({ email, password }, fingerprint);
    signInMilliseconds = response.milliseconds;
    return response;
  };
  /** Starts the sign-out after a part of the sign-in, which hashes first and writes last. */
  const overlap = async (member: Member, part: number): Promise<string[]> => {
    const device = auth.toDevice(await signIn(member));
    const signOut = async () => {
      await delay(part * signInMilliseconds);
      return await auth.signOut(device);
    };
    return (await Promise.all([signIn(member), signOut()])).map(formatStatus);
  };

  return {
    run: async (check, round) => {
      const pairs = await Promise.all(
        members.map((member, index) => overlap(member, 0.4 + ((round + index) % 12) / 20)),
      );
      for (const pair of pairs)
        check(/^200,(204|401 TOKEN_INVALID)$/.test(pair.join()), 'both end correctly', pair.join());
      const deadlocks = (await countDeadlocks(databaseUrl)) - deadlocksBefore;
      check(deadlocks === 0, 'there is no deadlock', deadlocks);
      return pairs.flat();
    },
    close: client.close,
  };
};
