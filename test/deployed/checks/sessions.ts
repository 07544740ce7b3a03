import { randomUUID } from 'node:crypto';
import { bearer } from '@platform/shared/testing/auth-client';
import { hasOperation } from '../contract.ts';
import type { Checks } from '../probe.ts';
import {
  type AccountChecks,
  type AccountState,
  checksOf,
  type SignedIn,
  signIn,
  toSignedIn,
} from './account-state.ts';
import { toPath } from './invalid-requests.ts';
import { identityReads } from './own-account.ts';
import { secondFactorReads } from './second-factor.ts';

type Headers = Record<string, string | undefined>;
const INVALID = [400, 'VALIDATION_FAILED'] as const;

/** Checks that change nothing but the session. */
const sessionReads: AccountChecks = {
  async 'me, /auth/me and session: the same user and session'({ device, client, expect }) {
    await expect(client.me(device), 200);
    await expect(client.universalMe(device), 200);
    await expect(client.readSession(device), 200);
  },
  async 'me and refresh with the headers of another device: 400, 401 SESSION_NOT_FOUND'(signedIn) {
    const { device, client, expect } = signedIn;
    await expect(client.me({ ...device, fingerprint: undefined }), ...INVALID, '/headers/x-fingerprint');
    for (const send of [client.me, client.refreshToken]) {
      await expect(send({ ...device, sessionId: 'not-a-uuid' }), ...INVALID, '/headers/x-session-id');
      await expect(send({ ...device, sessionId: randomUUID() }), 401, 'SESSION_NOT_FOUND');
    }
    await expect(client.me({ ...device, fingerprint: randomUUID() }), 401, 'SESSION_NOT_FOUND');
  },
  async 'sessions: the list has the current one; an unknown one is 404, an invalid id 400'(signedIn) {
    const { device, send, expect, check } = signedIn;
    const list = await expect(send('GET', '/sessions'), 200);
    const ids = list.body.data.map(({ id }: { id: string }) => id);
    check(ids.includes(device.sessionId), 'the current session is not in the list', list);
    await expect(send('DELETE', `/sessions/${randomUUID()}`), 404, 'SESSION_NOT_FOUND');
    await expect(send('DELETE', '/sessions/not-a-uuid'), ...INVALID, '/params/sessionId');
  },
  async 'sign-ins: the history has the latest one; the methods have the password'(signedIn) {
    const { contract, client, device, send, expect, check, skip } = signedIn;
    if (!hasOperation(contract, /SignIns$/)) skip('the release has no history of sign-ins');
    const history = await expect(send('GET', '/sign-ins?perPage=1'), 200);
    check(history.body.data.length === 1, '/data has not the latest sign-in', history);
    await expect(send('GET', '/sign-ins?cursor=foreign'), 400, 'VALIDATION_FAILED', '/query/cursor');
    const offered = await expect(client.signInMethods({}), 200);
    check(offered.body.methods.includes('password'), '/methods has no password', offered);
    await expect(client.emailChangePending(device), 200);
  },
  async 'verification: whether the e-mail is verified; a verified one is 409'(signedIn) {
    const { state, device, client, expect, check } = signedIn;
    const isVerified = state.user?.isEmailVerified;
    const response = await expect(client.verificationEmailCheck(device), 200);
    check(response.body.verified === isVerified, `/verified is not ${isVerified}`, response);
    await expect(
      client.verificationEmailCodeCheck({ ...device, body: { code: 'x' } }),
      ...INVALID,
      '/body/code',
    );
    // Otherwise the next requests would send a mail, and use up an attempt.
    if (!isVerified) return;
    await expect(client.verificationEmailCode(device), 409, 'EMAIL_ALREADY_VERIFIED');
    await expect(
      client.verificationEmailCodeCheck({ ...device, body: { code: '000000' } }),
      409,
      'EMAIL_ALREADY_VERIFIED',
    );
  },
  /** Sends the access token to every operation of other kinds, with unknown ids. */
  async 'the access token on operations for other tokens: 401 TOKEN_INVALID'(signedIn) {
    const { state, contract, send, expect } = signedIn;
    const { kind } = state.kind;
    const own = [`${kind}Access`, 'universalAccess'];
    if (kind === 'administrator') own.push('jwt-admin-access', 'administratorRegistration');
    for (const operation of contract.operations)
      if (operation.scheme !== undefined && !own.includes(operation.scheme)) {
        const body = operation.body && {};
        await expect(send(operation.method, toPath(operation), body), 401, 'TOKEN_INVALID');
      }
  },
};

/** Refreshes; the account keeps the new pair of tokens. */
const refresh = async ({ state, client, device, expect }: SignedIn, headers: Headers = {}) => {
  state.device = client.afterRefresh(device, await expect(client.refreshToken({ ...device, headers }), 200));
  await expect(client.me(device), 401, 'TOKEN_INVALID');
  await expect(client.me(state.device), 200);
};

const refreshChecks: AccountChecks = {
  async 'refresh with the cookie: new tokens; the old ones are 401, REFRESH_TOKEN_SUPERSEDED'(signedIn) {
    await refresh(signedIn);
    const { device, client, expect, check } = signedIn;
    const response = await expect(client.refreshToken(device), 401, 'REFRESH_TOKEN_SUPERSEDED');
    check(response.headers['set-cookie'] === undefined, 'it sets a cookie', response);
  },
  async 'refresh with the token in the Authorization header instead of the cookie'(signedIn) {
    const { refreshToken } = signedIn.device;
    return refresh(signedIn, { Cookie: undefined, ...bearer({ accessToken: refreshToken }) });
  },
};

/** The checks of a signed-in user. They change nothing but the session. */
export const sessionChecks = (state: AccountState): Checks => ({
  'sign-in: a token, the user, the session of the device, and the refresh cookie': (probe) =>
    signIn(state, probe),
  ...checksOf(state, { ...sessionReads, ...secondFactorReads, ...identityReads, ...refreshChecks }),
});

export const signOutChecks = (state: AccountState): Checks => ({
  async [`sign-out of ${state.kind.kind} ${state.email}: both tokens are invalid`](probe) {
    const { device, client, expect, forget, expectCleared } = toSignedIn(state, probe);
    const response = await expect(client.signOut(device), 204);
    forget();
    expectCleared(response);
    await expect(client.me(device), 401, 'TOKEN_INVALID');
    await expect(client.refreshToken(device), 401, 'TOKEN_INVALID');
  },
});
