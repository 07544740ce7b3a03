import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { backdateRefresh, countDeadlocks } from '@platform/shared/testing/query-database';
import { expect } from 'chai';
import { type Check, checkAudit, type Member, type Race, type RaceFixture } from './fixture.ts';

const LEEWAY_SECONDS = 10;
/** The number of requests with an old token. */
const REQUESTS = 4;

type SignedIn = { member: Member; device: Device };

/** The choice of the sign-in, and how long a refresh cookie then lives. */
type Choice = { staySignedIn: boolean; cookieSeconds: number };
const ORDINARY: Choice = { staySignedIn: false, cookieSeconds: 7_200 };
export const STAYING: Choice = { staySignedIn: true, cookieSeconds: 2_592_000 };

const openDevice = async (
  fixture: RaceFixture,
  { email, password }: Member,
  { staySignedIn, cookieSeconds }: Choice,
  fingerprint = uniqueFingerprint(),
): Promise<Device> => {
  const client = fixture.client(CUSTOMER);
  const response = await client.signIn({ fingerprint, body: { email, password, staySignedIn } });
  expect(String(response.headers['set-cookie'])).to.include(`Max-Age=${cookieSeconds};`);
  return client.toDevice(response);
};

const signIn = async (fixture: RaceFixture, choice: Choice): Promise<SignedIn> => {
  const member = await fixture.signUp(CUSTOMER);
  return { member, device: await openDevice(fixture, member, choice) };
};

const checkLife = (check: Check, { cookieSeconds }: Choice, response: HttpResponse): void => {
  const cookie = String(response.headers['set-cookie']);
  check(cookie.includes(`Max-Age=${cookieSeconds};`), `the cookie lives ${cookieSeconds} s`, cookie);
  const [, payload = ''] = /RefreshToken=[^.]+\.([^.]+)/.exec(cookie) ?? [];
  const { iat, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString());
  check(exp - iat === cookieSeconds, `the token lives ${cookieSeconds} s`, exp - iat);
};

const refreshAtOnce = (fixture: RaceFixture, device: Device, count: number): Promise<HttpResponse[]> =>
  Promise.all(Array.from({ length: count }, () => fixture.client(CUSTOMER).refreshToken(device)));

const setsCookie = ({ headers }: HttpResponse): boolean => headers['set-cookie'] !== undefined;

const checkSuperseded = (check: Check, responses: readonly HttpResponse[]): void => {
  for (const response of responses) {
    const isSuperseded = response.code === 'REFRESH_TOKEN_SUPERSEDED' && !setsCookie(response);
    check(isSuperseded, 'every other request is REFRESH_TOKEN_SUPERSEDED', formatStatus(response));
  }
};

const checkSignedIn = async (fixture: RaceFixture, check: Check, { member, device }: SignedIn) => {
  const me = await fixture.client(CUSTOMER).me(device);
  check(me.status === 200, 'nothing is revoked', formatStatus(me));
  await checkAudit(fixture, check, 'REFRESH_TOKEN_REUSED', member.userId, 0);
};

/**
 * Several requests present one refresh token at once. In every round one succeeds, and the session continues
 * with its tokens.
 */
export const createRefreshRace =
  (count: number, choice = ORDINARY) =>
  async (fixture: RaceFixture): Promise<Race> => {
    const deadlocksBefore = await countDeadlocks(fixture.stack.databaseUrl);
    let { member, device } = await signIn(fixture, choice);
    return {
      run: async (check) => {
        const responses = await refreshAtOnce(fixture, device, count);
        const succeeded = responses.filter(({ status }) => status === 200);
        const [winner] = succeeded;
        check(succeeded.length === 1, 'one request succeeds', succeeded.length);
        checkSuperseded(
          check,
          responses.filter(({ status }) => status !== 200),
        );
        // Without a winner the session may have ended, but the other rounds need a session.
        if (winner) checkLife(check, choice, winner);
        if (winner) device = fixture.client(CUSTOMER).afterRefresh(device, winner);
        await checkSignedIn(fixture, check, { member, device });
        if (!winner) ({ member, device } = await signIn(fixture, choice));
        const deadlocks = (await countDeadlocks(fixture.stack.databaseUrl)) - deadlocksBefore;
        check(deadlocks === 0, 'there is no deadlock', deadlocks);
        return responses;
      },
    };
  };

/** The previous token is presented within the leeway while the session is used. */
export const createSupersededRace =
  (choice = ORDINARY) =>
  async (fixture: RaceFixture): Promise<Race> => {
    const { member, device } = await signIn(fixture, choice);
    let current = device;
    return {
      run: async (check) => {
        const previous = current;
        current = await fixture.client(CUSTOMER).refreshed(previous);
        const [responses, me] = await Promise.all([
          refreshAtOnce(fixture, previous, REQUESTS),
          fixture.client(CUSTOMER).me(current),
        ]);
        checkSuperseded(check, responses);
        check(me.status === 200, 'the session is used meanwhile', formatStatus(me));
        await checkSignedIn(fixture, check, { member, device: current });
        return responses;
      },
    };
  };

/** The previous token is presented after the leeway. The first of the requests revokes the session. */
export const createReusedRace =
  (choice = ORDINARY) =>
  async (fixture: RaceFixture): Promise<Race> => {
    const { stack } = fixture;
    const client = fixture.client(CUSTOMER);
    const member = await fixture.signUp(CUSTOMER);
    let audited = 0;
    return {
      run: async (check) => {
        const previous = await openDevice(fixture, member, choice, 'device');
        const current = await client.refreshed(previous);
        await backdateRefresh(stack.databaseUrl, current.sessionId, LEEWAY_SECONDS);
        const responses = await refreshAtOnce(fixture, previous, REQUESTS);
        const reused = responses.filter(({ code }) => code === 'REFRESH_TOKEN_REUSED');
        check(reused.length > 0, 'the first request is REFRESH_TOKEN_REUSED', reused.length);
        check(reused.every(setsCookie), 'REFRESH_TOKEN_REUSED clears the cookie');
        const others = responses.filter((response) => !reused.includes(response));
        for (const response of others)
          check(
            response.code === 'TOKEN_INVALID',
            'the session has ended for the others',
            formatStatus(response),
          );
        for (const response of [await client.me(current), await client.refreshToken(current)])
          check(response.code === 'TOKEN_INVALID', 'no token works', formatStatus(response));
        audited += reused.length;
        await checkAudit(fixture, check, 'REFRESH_TOKEN_REUSED', member.userId, audited);
        return responses;
      },
    };
  };
