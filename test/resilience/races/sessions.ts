import { setTimeout as delay } from 'node:timers/promises';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { createHttpClient, formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { countDeadlocks, countSessions } from '@platform/shared/testing/query-database';
import {
  type Check,
  checkOneWinner,
  type Member,
  type Race,
  type RaceFixture,
  range,
  withStatus,
} from './fixture.ts';

const checkOneSession = async ({ stack }: RaceFixture, check: Check, userId: string) => {
  const { sessions, tokenRecords } = await countSessions(stack.databaseUrl, userId);
  check(
    sessions === 1 && tokenRecords === 1,
    'there is one session with one token record',
    `${sessions} sessions, ${tokenRecords} token records`,
  );
};

const REFRESHES = 8;

/** Several tabs exchange one refresh token. */
export const createRefreshRace = async (fixture: RaceFixture): Promise<Race> => {
  const auth = fixture.auth(CUSTOMER);
  const member = await fixture.signUp();
  let device = await fixture.signIn(member);
  return {
    name: 'refresh with one token',
    concurrency: REFRESHES,
    run: async (check) => {
      const responses = await Promise.all(range(REFRESHES).map(() => auth.refresh(device)));
      const winner = checkOneWinner(check, responses, 200, /^REFRESH_TOKEN_SUPERSEDED$/);
      for (const { status, headers } of responses)
        check(status === 200 || headers['set-cookie'] === undefined, 'the others change no cookie');
      if (winner) device = auth.afterRefresh(device, winner);
      const me = await auth.me(device);
      check(me.status === 200, 'the new access token works', formatStatus(me));
      await checkOneSession(fixture, check, member.userId);
      return responses;
    },
  };
};

/** The throttle allows as many; it counts a sign-in before its password is checked. */
const SIGN_INS = 5;

/** Several sign-ins on one device, which has a session in every other round. */
export const createSignInRace = (fixture: RaceFixture): Race => ({
  name: 'sign-in of one device',
  concurrency: SIGN_INS,
  run: async (check, round) => {
    const auth = fixture.auth(CUSTOMER);
    const member = await fixture.signUp();
    const { email, password } = member;
    const fingerprint = uniqueFingerprint();
    const before = round % 2 ? [await fixture.signIn(member, fingerprint)] : [];
    const responses = await Promise.all(
      range(SIGN_INS).map(() => auth.signIn({ email, password }, fingerprint)),
    );
    const results = responses.map(formatStatus).join(', ');
    check(withStatus(responses, 200).length === SIGN_INS, 'all sign in', results);
    const devices = withStatus(responses, 200).map(auth.toDevice);
    const ids = new Set([...before, ...devices].map(({ sessionId }) => sessionId));
    check(ids.size === 1, 'they have one session', ids.size);
    for (const [token, request] of [
      ['access', auth.me],
      ['refresh', auth.refresh],
    ] as const) {
      const accepted = await Promise.all(devices.map((device) => request(device)));
      const found = accepted.map(formatStatus).join(', ');
      check(withStatus(accepted, 200).length === 1, `one ${token} token works`, found);
    }
    await checkOneSession(fixture, check, member.userId);
    return responses;
  },
});

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
    name: 'sign-in against sign-out',
    concurrency: 2 * ACCOUNTS,
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
