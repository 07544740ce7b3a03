import { randomUUID } from 'node:crypto';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { hasOperation } from '../contract.ts';
import type { Probe } from '../probe.ts';
import { type AccountChecks, newPassword } from './account-state.ts';

/** Returns a code that differs from this one. */
const differentFrom = (code: string): string => (code === '000000' ? '111111' : '000000');

/** Sends a code with `send`, and expects that a second request is locked. Returns the code from the mail. */
const requestCode = ({ readCode, expect }: Probe, email: string, send: () => Promise<HttpResponse>) =>
  readCode(email, async () => {
    await expect(send(), 200);
    await expect(send(), 429, 'RESEND_LOCKED');
  });

/** Checks the e-mail codes and passwords of a user that the checks have created. */
export const emailCodeChecks: AccountChecks = {
  async 'verification: a wrong code is 400 CODE_INVALID, that of the mail verifies the address, once'(probe) {
    probe.covers(/VerificationEmailCode/);
    const { state, device, client, expect, check } = probe;
    const code = await requestCode(probe, state.email, () => client.verificationEmailCode(device));
    await expect(
      client.verificationEmailCodeCheck({ ...device, body: { code: differentFrom(code) } }),
      400,
      'CODE_INVALID',
    );
    const verified = await expect(client.verificationEmailCodeCheck({ ...device, body: { code } }), 200);
    check(verified.body.verified === true, '/verified is not true', verified);
    await expect(
      client.verificationEmailCodeCheck({ ...device, body: { code } }),
      409,
      'EMAIL_ALREADY_VERIFIED',
    );
    const me = await expect(client.me(device), 200);
    check(me.body.user.isEmailVerified === true, '/user/isEmailVerified is not true', me);
  },
  async 'change of the password: the old one is invalid, other sessions end'(signedIn) {
    const { state, device, client, expect } = signedIn;
    const { email, password } = state;
    const other = await client.openDevice(state, randomUUID());
    const change = (currentPassword: string, next: string) =>
      client.resetPasswordMe({ ...device, body: { currentPassword, newPassword: next } });
    const next = newPassword();
    await expect(change('wrong', next), 400, 'CURRENT_PASSWORD_WRONG');
    await expect(change(password, password), 400, 'VALIDATION_FAILED');
    await expect(change(password, next), 204);
    state.password = next;
    await expect(
      client.signIn({ fingerprint: randomUUID(), body: { email, password } }),
      401,
      'INVALID_CREDENTIALS',
    );
    await expect(client.me(other), 401, 'TOKEN_INVALID');
    await expect(client.me(device), 200);
  },
  async 'reset of the password: a code is valid once, all sessions end, the new password signs in'(probe) {
    probe.covers(/ResetPasswordEmailCode$/);
    const { state, device, client, expect } = probe;
    const { email } = state;
    const code = await requestCode(probe, email, () =>
      client.resetPasswordEmailCodeSend({ body: { email } }),
    );
    const reset = { email, code, newPassword: newPassword() };
    const wrong = { ...reset, code: differentFrom(code) };
    await expect(client.resetPasswordEmailCode({ body: wrong }), 400, 'CODE_INVALID');
    await expect(client.resetPasswordEmailCode({ body: reset }), 204);
    state.password = reset.newPassword;
    await expect(client.resetPasswordEmailCode({ body: reset }), 400, 'CODE_INVALID');
    await expect(client.me(device), 401, 'TOKEN_INVALID');
    await probe.signIn();
  },
  async 'reset for an unknown address: the same 200, 429 RESEND_LOCKED and 400 CODE_INVALID'(signedIn) {
    const { state, client, expect } = signedIn;
    const email = `unknown-${state.email}`;
    await expect(client.resetPasswordEmailCodeSend({ body: { email } }), 200);
    await expect(client.resetPasswordEmailCodeSend({ body: { email } }), 429, 'RESEND_LOCKED');
    const reset = { email, code: '000000', newPassword: newPassword() };
    await expect(client.resetPasswordEmailCode({ body: reset }), 400, 'CODE_INVALID');
  },
  async 'change of the e-mail: by the code to the new address; the old one no longer signs in'(probe) {
    probe.covers(/EmailChange/);
    const { contract, state, device, client, send, expect, check } = probe;
    const { email, password, fingerprint } = state;
    const newEmail = `new-${email}`;
    const change = (currentPassword: string) => send('POST', '/email/change', { newEmail, currentPassword });
    const confirm = (code: string) => send('POST', '/email/change/check', { code });
    await expect(change('wrong'), 400, 'CURRENT_PASSWORD_WRONG');
    const code = await requestCode(probe, newEmail, () => change(password));
    if (hasOperation(contract, /EmailChangePending$/)) {
      const pending = await expect(send('GET', '/email/change'), 200);
      check(pending.body.pending?.newEmail === newEmail, '/pending has not the new address', pending);
    }
    await expect(confirm(differentFrom(code)), 400, 'CODE_INVALID');
    const changed = await expect(confirm(code), 200);
    probe.forget();
    state.email = newEmail;
    const { user } = changed.body;
    check(user.email === newEmail && user.isEmailVerified, '/user has not the new address', changed);
    await expect(client.me(device), 200);
    await expect(client.signIn({ fingerprint, body: { email, password } }), 401, 'INVALID_CREDENTIALS');
    await probe.signIn();
  },
};

/** Administrators cannot sign in with a mailed code. */
export const mailedSignInChecks: AccountChecks = {
  async 'sign-in by a mailed code: once, as a session that says how'(probe) {
    probe.covers(/SignInEmailCode/);
    const { contract, state, client, send, expect, check, skip } = probe;
    if (!hasOperation(contract, /SignInEmailCode$/)) skip('the release has no sign-in by a mailed code');
    const { methods } = (await expect(client.signInMethods({}), 200)).body;
    if (!methods.includes('email-code')) skip('EMAIL_CODE_SIGN_IN is off');
    const { email } = state;
    const code = await requestCode(probe, email, () => client.signInEmailCodeSend({ body: { email } }));
    const fingerprint = randomUUID();
    const signIn = (sent: string) => client.signInEmailCode({ fingerprint, body: { email, code: sent } });
    await expect(signIn(differentFrom(code)), 400, 'CODE_INVALID');
    const device = client.toDevice(await expect(signIn(code), 200));
    const history = await expect(send('GET', '/sign-ins?perPage=1'), 200);
    check(history.body.data[0]?.methods.includes('email-code'), 'the history does not say how', history);
    await expect(client.signOut(device), 204);
    await expect(signIn(code), 400, 'CODE_INVALID');
  },
};
