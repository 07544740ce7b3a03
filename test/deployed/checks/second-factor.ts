import { randomUUID } from 'node:crypto';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { createPasskeyClient } from '@platform/shared/testing/passkey-client';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { totpCode } from '@platform/shared/testing/totp';
import type { Check, Probe } from '../probe.ts';
import type { UndoList } from '../run-sections.ts';
import { type AccountState, requireDevice, signIn } from './account-state.ts';

const UNVERIFIED = 'the address of the new user is not verified';

const checkMethods = async (state: AccountState, probe: Probe, expected: string): Promise<void> => {
  const list = await probe.auth(state.kind).listSessions(requireDevice(state, probe));
  probe.expect(list, 200);
  const sessions: { isCurrent: boolean; methods: string[] }[] = list.body?.data ?? [];
  const methods = sessions.find(({ isCurrent }) => isCurrent)?.methods;
  probe.check(String(methods) === expected, `the current session has the methods ${methods}`, list);
};

/** Reads the second factors of an account that signs in with its password. */
export const secondFactorCheck = (state: AccountState): Check => ({
  name: 'second factor: none, and the session has the method password',
  run: async (probe) => {
    const device = requireDevice(state, probe);
    const response = await probe.auth(state.kind).secondFactor(device);
    probe.expect(response, 200);
    const { totp, passkeys, recoveryCodesLeft } = Object(response.body);
    const isEmpty = totp === null && passkeys?.length === 0 && recoveryCodesLeft === 0;
    probe.check(isEmpty, 'the account has a second factor', response);
    await checkMethods(state, probe, 'password');
  },
});

const unknownChallengeCheck = ({ kind }: AccountState): Check => ({
  name: 'second step with an unknown challenge: 401 CHALLENGE_INVALID; with none or two factors: 400',
  run: async (probe) => {
    const send = (factor: object) =>
      probe.auth(kind).signInSecondFactor({ challenge: randomUUID(), ...factor }, randomUUID());
    probe.expect(await send({ totpCode: '000000' }), 401, 'CHALLENGE_INVALID');
    probe.expect(await send({}), 400, 'VALIDATION_FAILED');
    probe.expect(await send({ totpCode: '000000', recoveryCode: 'none' }), 400, 'VALIDATION_FAILED');
  },
});

/** Switches the authenticator app on; the recovery codes do not depend on the clock of the deployment. */
export const enableTotp = async (state: AccountState, probe: Probe): Promise<string[]> => {
  const device = requireDevice(state, probe);
  if (!state.user?.isEmailVerified) probe.skip(UNVERIFIED);
  const auth = probe.auth(state.kind);
  probe.expect(await auth.setUpTotp(device, { currentPassword: 'wrong' }), 400, 'CURRENT_PASSWORD_WRONG');
  const created = await auth.setUpTotp(device, { currentPassword: state.password });
  probe.expect(created, 201);
  if (created.status !== 201) return [];
  const code = totpCode(created.body.secret);
  const wrong = code === '000000' ? '111111' : '000000';
  probe.expect(await auth.confirmTotp(device, { code: wrong }), 401, 'SECOND_FACTOR_INVALID');
  const confirmed = await auth.confirmTotp(device, { code });
  probe.expect(confirmed, 200);
  const codes: string[] = confirmed.body?.recoveryCodes ?? [];
  probe.check(confirmed.status !== 200 || codes.length === 10, `${codes.length} recovery codes`, confirmed);
  return codes;
};

const finishSignIn = async (
  state: AccountState,
  probe: Probe,
  recoveryCode: string,
): Promise<HttpResponse> => {
  const auth = probe.auth(state.kind);
  const first = await auth.signIn({ email: state.email, password: state.password }, state.fingerprint);
  probe.expect(first, 401, 'SECOND_FACTOR_REQUIRED');
  const body = { challenge: String(first.body?.challenge), recoveryCode };
  probe.expect(await auth.signInSecondFactor(body, randomUUID()), 401, 'CHALLENGE_INVALID');
  const second = await auth.signInSecondFactor(body, state.fingerprint);
  probe.expect(second, 200);
  if (second.status === 200) state.device = auth.toDevice(second);
  probe.expect(await auth.signInSecondFactor(body, state.fingerprint), 401, 'CHALLENGE_INVALID');
  return second;
};

const totpCheck = (state: AccountState, undo: UndoList): Check => ({
  name: 'authenticator app: the password alone no longer signs in, a recovery code does once; and off again',
  operations: new RegExp(`^${state.kind.kind}(?:.*Totp|.*SecondFactor|.*RecoveryCodes)`),
  run: async (probe) => {
    const auth = probe.auth(state.kind);
    const [recoveryCode = '', otherCode = ''] = await enableTotp(state, probe);
    if (recoveryCode === '') return;
    await finishSignIn(state, probe, recoveryCode);
    await checkMethods(state, probe, 'password,recovery-code');
    const confirmation = (code: string) => ({ currentPassword: state.password, recoveryCode: code });
    const replaced = await auth.replaceRecoveryCodes(requireDevice(state, probe), confirmation(otherCode));
    probe.expect(replaced, 200);
    const remove = (code: string) => auth.removeTotp(requireDevice(state, probe), confirmation(code));
    probe.expect(await remove(otherCode), 401, 'SECOND_FACTOR_INVALID');
    probe.expect(await remove(String(replaced.body?.recoveryCodes?.[0])), 204);
    await signIn(state, probe, undo);
  },
});

/** The device of a successful sign-in with a passkey. */
const acceptSignIn = async (state: AccountState, probe: Probe, response: HttpResponse, methods: string) => {
  probe.expect(response, 200);
  if (response.status !== 200) return;
  state.device = probe.auth(state.kind).toDevice(response);
  await checkMethods(state, probe, methods);
};

const passkeyCheck = (state: AccountState, origin: string | undefined, undo: UndoList): Check => ({
  name: 'passkey: it is the second factor and signs in alone, and off again',
  operations: new RegExp(`^${state.kind.kind}(?:.*Passkey|.*SecondFactorOptions)`),
  run: async (probe) => {
    const device = requireDevice(state, probe);
    if (!state.user?.isEmailVerified) probe.skip(UNVERIFIED);
    const authenticator = createSoftwareAuthenticator(
      origin ?? probe.skip('give an --origin of WEBAUTHN_ORIGINS'),
    );
    const passkeys = createPasskeyClient('', state.kind, probe.call);
    const options = await passkeys.creationOptions(device, state.password);
    if (options.code === 'ROUTE_NOT_FOUND') probe.skip('passkeys are not configured');
    probe.expect(options, 200);
    const created = await passkeys.create(device, authenticator.create(options.body), 'Check');
    probe.expect(created, 201);
    const renamed = await passkeys.rename(device, created.body.id, 'Renamed');
    probe.check(renamed.body?.name === 'Renamed', '/name has not changed', renamed);
    probe.expect(await passkeys.factorOptions(device), 200);

    const { fingerprint } = state;
    const { challenge } = (await probe.auth(state.kind).signIn(state, fingerprint)).body;
    const second = authenticator.get((await passkeys.secondStepOptions(challenge, fingerprint)).body);
    const completed = await passkeys.completeSignIn(challenge, second, fingerprint);
    await acceptSignIn(state, probe, completed, 'password,passkey');
    const alone = authenticator.get((await passkeys.signInOptions(fingerprint)).body);
    await acceptSignIn(state, probe, await passkeys.signIn(alone, fingerprint), 'passkey');
    probe.expect(await passkeys.signIn(alone, fingerprint), 401);
    const remove = (password: string) =>
      passkeys.remove(requireDevice(state, probe), created.body.id, password);
    probe.expect(await remove('wrong'), 400, 'CURRENT_PASSWORD_WRONG');
    probe.expect(await remove(state.password), 204);
    await signIn(state, probe, undo);
  },
});

/** The checks of a user that the command has created. */
export const secondFactorChangeChecks = (
  state: AccountState,
  origin: string | undefined,
  undo: UndoList,
): Check[] => [unknownChallengeCheck(state), totpCheck(state, undo), passkeyCheck(state, origin, undo)];
