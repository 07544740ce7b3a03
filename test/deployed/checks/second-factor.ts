import { randomUUID } from 'node:crypto';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { totpCode } from '@platform/shared/testing/totp';
import type { AccountChecks, SignedIn } from './account-state.ts';

const checkMethods = async ({ send, expect, check }: SignedIn, expected: string): Promise<void> => {
  const list = await expect(send('GET', '/sessions'), 200);
  const sessions: { isCurrent: boolean; methods: string[] }[] = list.body.data;
  const methods = sessions.find(({ isCurrent }) => isCurrent)?.methods;
  check(String(methods) === expected, `the current session has the methods ${methods}`, list);
};

/** Reads the second factors of an account that signs in with its password. */
export const secondFactorReads: AccountChecks = {
  async 'second factor: none, and the session has the method password'(signedIn) {
    const response = await signedIn.expect(signedIn.send('GET', '/second-factor'), 200);
    const { totp, passkeys, recoveryCodesLeft } = response.body;
    const isEmpty = totp === null && passkeys?.length === 0 && recoveryCodesLeft === 0;
    signedIn.check(isEmpty, 'the account has a second factor', response);
    await checkMethods(signedIn, 'password');
  },
};

/** Sends the first step, and returns the challenge of the second one. */
const startSignIn = async ({ sendPassword, expect }: SignedIn): Promise<string> =>
  (await expect(sendPassword(), 401, 'SECOND_FACTOR_REQUIRED')).body.challenge;

/** Takes the tokens of a successful sign-in. */
const acceptSignIn = async ({ expect, take }: SignedIn, response: Promise<HttpResponse>, methods: string) => {
  const signedIn = take(await expect(response, 200));
  await checkMethods(signedIn, methods);
  return signedIn;
};

/**
 * Enables the authenticator app. Later steps use the recovery codes, which do not depend on the clock of the
 * deployment.
 */
export const enableTotp = async (signedIn: SignedIn): Promise<string[]> => {
  const { state, device, client, expect, check, skip } = signedIn;
  if (!state.user?.isEmailVerified) skip('the address of the new user is not verified');
  await expect(
    client.totpSetUp({ ...device, body: { currentPassword: 'wrong' } }),
    400,
    'CURRENT_PASSWORD_WRONG',
  );
  const created = await expect(
    client.totpSetUp({ ...device, body: { currentPassword: state.password } }),
    201,
  );
  const code = totpCode(created.body.secret);
  const wrong = code === '000000' ? '111111' : '000000';
  await expect(client.totpConfirm({ ...device, body: { code: wrong } }), 401, 'SECOND_FACTOR_INVALID');
  const confirmed = await expect(client.totpConfirm({ ...device, body: { code } }), 200);
  const codes: string[] = confirmed.body.recoveryCodes;
  check(codes.length === 10, `${codes.length} recovery codes`, confirmed);
  return codes;
};

/** The checks of a user that the command has created. */
export const secondFactorChecks: AccountChecks = {
  async 'second step: an unknown challenge is 401, none or two factors are 400'(signedIn) {
    const { client, expect } = signedIn;
    const send = (factor: object) =>
      client.signInSecondFactor({ fingerprint: randomUUID(), body: { challenge: randomUUID(), ...factor } });
    await expect(send({ totpCode: '000000' }), 401, 'CHALLENGE_INVALID');
    await expect(send({}), 400, 'VALIDATION_FAILED');
    await expect(send({ totpCode: '000000', recoveryCode: 'none' }), 400, 'VALIDATION_FAILED');
  },
  async 'authenticator app: a recovery code finishes the sign-in, once; and off again'(probe) {
    probe.covers(/Totp|SecondFactor|RecoveryCodes/);
    const { state, client, expect } = probe;
    const [recoveryCode, otherCode = ''] = await enableTotp(probe);
    const body = { challenge: await startSignIn(probe), recoveryCode };
    await expect(client.signInSecondFactor({ fingerprint: randomUUID(), body }), 401, 'CHALLENGE_INVALID');
    const second = client.signInSecondFactor({ fingerprint: state.fingerprint, body });
    const { device } = await acceptSignIn(probe, second, 'password,recovery-code');
    await expect(
      client.signInSecondFactor({ fingerprint: state.fingerprint, body }),
      401,
      'CHALLENGE_INVALID',
    );
    const confirm = (code: string) => ({ currentPassword: state.password, recoveryCode: code });
    const replaced = await expect(client.recoveryCodesReplace({ ...device, body: confirm(otherCode) }), 200);
    await expect(client.totpRemove({ ...device, body: confirm(otherCode) }), 401, 'SECOND_FACTOR_INVALID');
    await expect(client.totpRemove({ ...device, body: confirm(replaced.body.recoveryCodes[0]) }), 204);
    await probe.signIn();
  },
  async 'passkey: it signs in alone, is a second factor once that is switched on, and off again'(probe) {
    probe.covers(/Passkey|SecondFactorOptions|SecondFactorChange/);
    const { state, device, client, expect, skip } = probe;
    const { fingerprint, password } = state;
    if (!state.user?.isEmailVerified) skip('the address of the new user is not verified');
    const authenticator = createSoftwareAuthenticator(probe.getOrigin());
    const options = await client.passkeyOptions({ ...device, body: { currentPassword: password } });
    if (options.code === 'ROUTE_NOT_FOUND') skip('passkeys are not configured');
    await expect(options, 200);
    const created = await expect(
      client.passkeyCreate({
        ...device,
        body: { response: authenticator.create(options.body), name: 'Check' },
      }),
      201,
    );
    await expect(
      client.passkeyRename({ ...device, passkeyId: created.body.id, body: { name: 'Renamed' } }),
      200,
    );
    await expect(client.secondFactorOptions(device), 200);
    const change = (of: typeof device, isRequired: boolean, factor: object = {}) =>
      client.secondFactorChange({ ...of, body: { isRequired, currentPassword: password, ...factor } });
    const [recoveryCode] = (await expect(change(device, true), 200)).body.recoveryCodes;

    const challenge = await startSignIn(probe);
    const asked = await expect(client.signInSecondFactorOptions({ fingerprint, body: { challenge } }), 200);
    const second = client.signInSecondFactor({
      fingerprint,
      body: { challenge, passkey: authenticator.get(asked.body) },
    });
    await acceptSignIn(probe, second, 'password,passkey');
    const alone = authenticator.get((await expect(client.signInPasskeyOptions({ fingerprint }), 200)).body);
    const last = await acceptSignIn(
      probe,
      client.signInPasskey({ fingerprint, body: { response: alone } }),
      'passkey',
    );
    await expect(client.signInPasskey({ fingerprint, body: { response: alone } }), 401);
    const remove = (current: string) =>
      client.passkeyDelete({
        ...last.device,
        passkeyId: created.body.id,
        body: { currentPassword: current },
      });
    await expect(remove(password), 403, 'FACTOR_REQUIRED');
    await expect(change(last.device, false, { recoveryCode }), 200);
    await expect(remove('wrong'), 400, 'CURRENT_PASSWORD_WRONG');
    await expect(remove(password), 204);
    await probe.signIn();
  },
};
