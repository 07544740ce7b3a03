import { randomUUID } from 'node:crypto';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import type { ReadCode } from '../code-source.ts';
import type { Check, Probe } from '../probe.ts';
import type { UndoList } from '../run-sections.ts';
import { type AccountState, forgetDevice, requireDevice, sendAs, signIn } from './account-state.ts';
import { newPassword } from './new-user.ts';

const NO_SOURCE = 'nobody can read the mail: give --inbox, or run it on a terminal';

/** Another code than this one. */
const differentFrom = (code: string): string => (code === '000000' ? '111111' : '000000');

/** Sends a code with `send`, which a second request may not repeat yet; returns the code from the mail. */
const requestCode = async (
  probe: Probe,
  readCode: ReadCode,
  email: string,
  send: () => Promise<HttpResponse>,
): Promise<string> => {
  const code = await readCode(email, async () => {
    const response = await send();
    probe.expect(response, 200);
    if (response.status !== 200) return false;
    probe.expect(await send(), 429, 'RESEND_LOCKED');
    return true;
  });
  return code ?? probe.skip('no code was sent');
};

const verificationCheck = (state: AccountState, readCode: ReadCode | undefined): Check => ({
  name: 'verification: a wrong code is 400 CODE_INVALID, that of the mail verifies the address, once',
  operations: new RegExp(`^${state.kind.kind}VerificationEmailCode`),
  run: async (probe) => {
    const device = requireDevice(state, probe);
    const auth = probe.auth(state.kind);
    const read = readCode ?? probe.skip(NO_SOURCE);
    const code = await requestCode(probe, read, state.email, () => auth.sendVerificationCode(device));
    const wrong = await auth.verifyEmail(device, { code: differentFrom(code) });
    probe.expect(wrong, 400, 'CODE_INVALID');
    const verified = await auth.verifyEmail(device, { code });
    probe.expect(verified, 200);
    probe.check(verified.body?.verified === true, '/verified is not true', verified);
    probe.expect(await auth.verifyEmail(device, { code }), 409, 'EMAIL_ALREADY_VERIFIED');
    const me = await auth.me(device);
    probe.check(me.body?.user?.isEmailVerified === true, '/user/isEmailVerified is not true', me);
  },
});

const emailChangeCheck = (state: AccountState, readCode: ReadCode | undefined, undo: UndoList): Check => ({
  name: 'change of the e-mail: the code in the mail to the new address changes it, and the old one no longer signs in',
  operations: new RegExp(`^${state.kind.kind}EmailChange`),
  run: async (probe) => {
    const device = requireDevice(state, probe);
    const read = readCode ?? probe.skip(NO_SOURCE);
    const auth = probe.auth(state.kind);
    const old = { email: state.email, password: state.password };
    const newEmail = `new-${state.email}`;
    const send = (currentPassword: string) =>
      sendAs(state, probe, 'POST', '/email/change', { newEmail, currentPassword });
    const confirm = (body: object) => sendAs(state, probe, 'POST', '/email/change/check', body);
    probe.expect(await send('wrong'), 400, 'CURRENT_PASSWORD_WRONG');
    const code = await requestCode(probe, read, newEmail, () => send(state.password));
    probe.expect(await confirm({ code: differentFrom(code) }), 400, 'CODE_INVALID');
    const changed = await confirm({ code });
    probe.expect(changed, 200);
    if (changed.status !== 200) return;
    forgetDevice(state, undo);
    state.email = newEmail;
    const me = await auth.me(device);
    for (const response of [changed, me]) {
      const { email, isEmailVerified } = Object(response.body?.user);
      probe.check(email === newEmail && isEmailVerified, '/user has not the new address', response);
    }
    probe.expect(await auth.signIn(old, device.fingerprint), 401, 'INVALID_CREDENTIALS');
    await signIn(state, probe, undo);
  },
});

const passwordChangeCheck = (state: AccountState): Check => ({
  name: 'change of the password: 400 CURRENT_PASSWORD_WRONG for a wrong one; the old one is invalid, other sessions end',
  run: async (probe) => {
    const device = requireDevice(state, probe);
    const auth = probe.auth(state.kind);
    const other = await auth.openDevice(state, randomUUID());
    const change = { currentPassword: state.password, newPassword: newPassword() };
    const wrong = await auth.changePassword(device, { ...change, currentPassword: 'wrong' });
    probe.expect(wrong, 400, 'CURRENT_PASSWORD_WRONG');
    const changed = await auth.changePassword(device, change);
    probe.expect(changed, 204);
    if (changed.status !== 204) return;
    const old = await auth.signIn({ email: state.email, password: state.password }, randomUUID());
    probe.expect(old, 401, 'INVALID_CREDENTIALS');
    state.password = change.newPassword;
    probe.expect(await auth.me(other), 401, 'TOKEN_INVALID');
    probe.expect(await auth.me(device), 200);
  },
});

const passwordResetCheck = (state: AccountState, readCode: ReadCode | undefined, undo: UndoList): Check => ({
  name: 'reset of the password by code: the code is valid once, every session ends, the new password signs in',
  operations: new RegExp(`^${state.kind.kind}ResetPasswordEmailCode$`),
  run: async (probe) => {
    const device = requireDevice(state, probe);
    const auth = probe.auth(state.kind);
    const { email } = state;
    const read = readCode ?? probe.skip(NO_SOURCE);
    const code = await requestCode(probe, read, email, () => auth.sendResetCode({ email }));
    const reset = { email, code, newPassword: newPassword() };
    probe.expect(await auth.resetPassword({ ...reset, code: differentFrom(code) }), 400, 'CODE_INVALID');
    const done = await auth.resetPassword(reset);
    probe.expect(done, 204);
    if (done.status !== 204) return;
    state.password = reset.newPassword;
    probe.expect(await auth.resetPassword(reset), 400, 'CODE_INVALID');
    probe.expect(await auth.me(device), 401, 'TOKEN_INVALID');
    await signIn(state, probe, undo);
  },
});

const unknownAddressCheck = ({ kind, email }: AccountState): Check => ({
  name: 'reset for an unknown address: the same 200, 429 RESEND_LOCKED and 400 CODE_INVALID',
  run: async (probe) => {
    const auth = probe.auth(kind);
    const unknown = { email: `unknown-${email}` };
    probe.expect(await auth.sendResetCode(unknown), 200);
    probe.expect(await auth.sendResetCode(unknown), 429, 'RESEND_LOCKED');
    const reset = { ...unknown, code: '000000', newPassword: newPassword() };
    probe.expect(await auth.resetPassword(reset), 400, 'CODE_INVALID');
  },
});

/** The e-mail codes and passwords of a user that the checks have created. */
export const emailCodeChecks = (
  state: AccountState,
  readCode: ReadCode | undefined,
  undo: UndoList,
): Check[] => [
  verificationCheck(state, readCode),
  passwordChangeCheck(state),
  passwordResetCheck(state, readCode, undo),
  unknownAddressCheck(state),
  emailChangeCheck(state, readCode, undo),
];
