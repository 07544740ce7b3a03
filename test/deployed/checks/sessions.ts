import { randomUUID } from 'node:crypto';
import { accessHeaders, bearer } from '@platform/shared/testing/auth-client';
import type { Contract } from '../contract.ts';
import type { Check, Probe } from '../probe.ts';
import type { UndoList } from '../run-sections.ts';
import { type AccountState, forgetDevice, requireDevice, sendAs, signIn } from './account-state.ts';
import { toPath } from './invalid-requests.ts';
import { identitiesCheck } from './own-account.ts';
import { secondFactorCheck } from './second-factor.ts';

type Headers = Record<string, string | undefined>;

export const signInCheck = (state: AccountState, undo: UndoList): Check => ({
  name: 'sign-in: a token, the user, the session of the device, and the refresh cookie',
  run: async (probe) => {
    const response = await signIn(state, probe, undo);
    if (response.status !== 200) return;
    const { user, session } = response.body;
    probe.check(user?.email === state.email.toLowerCase(), '/user/email is another one', response);
    probe.check(session?.fingerprint === state.fingerprint, '/session/fingerprint is another one', response);
  },
});

const meCheck = (state: AccountState): Check => ({
  name: 'me, /auth/me and session: the same user and session',
  run: async (probe) => {
    const device = requireDevice(state, probe);
    const auth = probe.auth(state.kind);
    const universal = await auth.universalMe(device);
    const read = await probe.call({
      path: `${state.kind.path}/session`,
      headers: auth.refreshHeaders(device),
    });
    for (const response of [await auth.me(device), universal, read]) {
      probe.expect(response, 200);
      probe.check(response.body?.user?.id === state.user?.id, '/user/id is another user', response);
      probe.check(response.body?.session?.id === device.sessionId, '/session/id is another one', response);
    }
    probe.check(universal.body?.kind === state.kind.kind, `/kind is not ${state.kind.kind}`, universal);
  },
});

const deviceHeaderCheck = (state: AccountState): Check => ({
  name: 'me with the headers of another device: 400 VALIDATION_FAILED, 401 SESSION_NOT_FOUND',
  run: async (probe) => {
    const device = requireDevice(state, probe);
    const me = (headers: Headers) => probe.auth(state.kind).me(device, headers);
    const invalid = [400, 'VALIDATION_FAILED'] as const;
    probe.expect(await me({ 'X-Fingerprint': undefined }), ...invalid, '/headers/x-fingerprint');
    probe.expect(await me({ 'X-Session-Id': 'not-a-uuid' }), ...invalid, '/headers/x-session-id');
    probe.expect(await me({ 'X-Fingerprint': randomUUID() }), 401, 'SESSION_NOT_FOUND');
    probe.expect(await me({ 'X-Session-Id': randomUUID() }), 401, 'SESSION_NOT_FOUND');
  },
});

const sessionListCheck = (state: AccountState): Check => ({
  name: 'sessions: the list has the current one; an unknown one is 404, an invalid id 400',
  run: async (probe) => {
    const device = requireDevice(state, probe);
    const list = await sendAs(state, probe, 'GET', '/sessions');
    probe.expect(list, 200);
    const current = (list.body?.data ?? []).filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    probe.check(
      current.length === 1 && current[0].id === device.sessionId,
      'another session is current',
      list,
    );
    const end = (id: string) => sendAs(state, probe, 'DELETE', `/sessions/${id}`);
    probe.expect(await end(randomUUID()), 404, 'SESSION_NOT_FOUND');
    probe.expect(await end('not-a-uuid'), 400, 'VALIDATION_FAILED', '/params/sessionId');
  },
});

const verificationCheck = (state: AccountState): Check => ({
  name: 'verification: whether the e-mail is verified; a verified one is 409 EMAIL_ALREADY_VERIFIED',
  run: async (probe) => {
    const device = requireDevice(state, probe);
    const auth = probe.auth(state.kind);
    const response = await auth.checkVerified(device);
    probe.expect(response, 200);
    const isVerified = state.user?.isEmailVerified;
    probe.check(response.body?.verified === isVerified, `/verified is not ${isVerified}`, response);
    probe.expect(await auth.verifyEmail(device, { code: 'x' }), 400, 'VALIDATION_FAILED', '/body/code');
    // Otherwise the next requests would send a mail, and use up an attempt.
    if (!isVerified) return;
    probe.expect(await auth.sendVerificationCode(device), 409, 'EMAIL_ALREADY_VERIFIED');
    probe.expect(await auth.verifyEmail(device, { code: '000000' }), 409, 'EMAIL_ALREADY_VERIFIED');
  },
});

/** Sends the access token to every operation for other tokens, with ids that exist nowhere. */
const otherOperationsCheck = (state: AccountState, { operations }: Contract): Check => ({
  name: 'the access token on operations for other tokens: 401 TOKEN_INVALID',
  run: async (probe) => {
    const headers = accessHeaders(requireDevice(state, probe));
    const { kind } = state.kind;
    const own = [`${kind}Access`, 'universalAccess'];
    if (kind === 'administrator') own.push('jwt-admin-access', 'administratorRegistration');
    for (const operation of operations) {
      if (operation.scheme === undefined || own.includes(operation.scheme)) continue;
      const { method } = operation;
      const body = operation.body && {};
      probe.expect(
        await probe.call({ method, path: toPath(operation), headers, body }),
        401,
        'TOKEN_INVALID',
      );
    }
  },
});

/** Returns the device with the replaced tokens. */
const refresh = async (state: AccountState, probe: Probe, headers: Headers = {}) => {
  const device = requireDevice(state, probe);
  const auth = probe.auth(state.kind);
  const response = await auth.refresh(device, headers);
  probe.expect(response, 200);
  if (response.status !== 200) return undefined;
  state.device = auth.afterRefresh(device, response);
  probe.expect(await auth.me(device), 401, 'TOKEN_INVALID');
  probe.expect(await auth.me(state.device), 200);
  return device;
};

const refreshCheck = (
  state: AccountState,
  onRefresh: (previous: AccountState['device']) => void = () => undefined,
): Check => ({
  name: 'refresh with the cookie: a new pair of tokens, and the old access token is invalid',
  run: async (probe) => onRefresh(await refresh(state, probe)),
});

const refreshChecks = (state: AccountState): Check[] => {
  let previous: AccountState['device'];
  return [
    {
      name: 'refresh with the headers of another device: 400 VALIDATION_FAILED, 401 SESSION_NOT_FOUND',
      run: async (probe) => {
        const device = requireDevice(state, probe);
        const send = (headers: Headers) => probe.auth(state.kind).refresh(device, headers);
        const missing = await send({ 'X-Session-Id': undefined });
        probe.expect(missing, 400, 'VALIDATION_FAILED', '/headers/x-session-id');
        probe.expect(await send({ 'X-Session-Id': randomUUID() }), 401, 'SESSION_NOT_FOUND');
      },
    },
    refreshCheck(state, (device) => {
      previous = device;
    }),
    {
      name: 'refresh with the previous token: 401 REFRESH_TOKEN_SUPERSEDED, and the session continues',
      run: async (probe) => {
        const device = requireDevice(state, probe);
        const auth = probe.auth(state.kind);
        const response = await auth.refresh(previous ?? probe.skip('not refreshed'));
        probe.expect(response, 401, 'REFRESH_TOKEN_SUPERSEDED');
        probe.check(response.headers['set-cookie'] === undefined, 'it sets a cookie', response);
        probe.expect(await auth.me(device), 200);
      },
    },
    {
      name: 'refresh with the token in the Authorization header instead of the cookie',
      run: async (probe) => {
        const { refreshToken } = requireDevice(state, probe);
        await refresh(state, probe, { Cookie: undefined, ...bearer({ accessToken: refreshToken }) });
      },
    },
  ];
};

/** The journey of a signed-in user. It changes nothing but the session. */
export const sessionChecks = (state: AccountState, contract: Contract, undo: UndoList): Check[] => [
  signInCheck(state, undo),
  meCheck(state),
  deviceHeaderCheck(state),
  sessionListCheck(state),
  secondFactorCheck(state),
  identitiesCheck(state),
  verificationCheck(state),
  otherOperationsCheck(state, contract),
  ...refreshChecks(state),
];

export const signOutCheck = (state: AccountState, undo: UndoList): Check => ({
  name: `sign-out of ${state.kind.kind} ${state.email}: the cookie is cleared, and both tokens are invalid`,
  run: async (probe) => {
    const device = requireDevice(state, probe);
    const auth = probe.auth(state.kind);
    const response = await auth.signOut(device);
    probe.expect(response, 204);
    if (response.status === 204) forgetDevice(state, undo);
    const cookies = String(response.headers['set-cookie']);
    probe.check(cookies.includes(`${state.kind.refreshCookie}=;`), 'the cookie is not cleared', response);
    probe.expect(await auth.me(device), 401, 'TOKEN_INVALID');
    probe.expect(await auth.refresh(device), 401, 'TOKEN_INVALID');
  },
});
