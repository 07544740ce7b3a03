import { CUSTOMER, type Device } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Records } from '@platform/shared/testing/records';
import { expectError, type RequestOptions, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { createFactorClient, nextTotpCode } from '../../factor-client.ts';
import type { Release } from './releases.ts';

const createClient = ({ addresses: { gatewayUrl } }: Release) =>
  createFactorClient(CUSTOMER, ({ method = 'GET', path, ...options }) =>
    send(gatewayUrl, method, path, options as RequestOptions),
  );

/** Each release has the sign-in, but the previous one knows no factors. */
const expectRefused = async (previous: Release, email: string): Promise<void> => {
  const { auth } = createClient(previous);
  const { status, text, headers } = await auth.signIn({ email, password: PASSWORD }, uniqueFingerprint());
  expect(status, text).to.equal(401);
  expect(headers).not.to.have.property('set-cookie');
};

/** While both releases serve, a password alone never opens a session of an account with a second factor. */
export const refuseWithoutFactor = async (
  previous: Release,
  current: Release,
  { verifyEmail }: Records,
): Promise<void> => {
  const client = createClient(current);
  const account = await client.auth.createAccount();
  await verifyEmail(account.userId);
  const device = await client.auth.openDevice(account);
  const totp = await client.enableTotp(device);
  await expectRefused(previous, account.email);
  const fingerprint = uniqueFingerprint();
  const challenge = await client.openChallenge(account, fingerprint);
  const proof = { totpCode: nextTotpCode(totp) };
  const signedIn: Device = client.auth.toDevice(await client.secondStep(challenge, fingerprint, proof));
  await client.auth.expectSignedIn(signedIn);
};

/** An account that the current release has deleted does not exist for the previous one; its address is free at both. */
export const deleteAtCurrent = async (previous: Release, current: Release): Promise<void> => {
  const client = createClient(current);
  const account = await client.auth.createAccount();
  const deviceAtPrevious = await createClient(previous).auth.openDevice(account);
  const device = await client.auth.openDevice(account);
  const deleted = await client.as(device, 'POST', '/account/delete', { currentPassword: PASSWORD });
  expect(deleted.status, deleted.text).to.equal(204);
  expectError(await createClient(previous).auth.me(deviceAtPrevious), 401, 'TOKEN_INVALID');
  await expectRefused(previous, account.email);
  const again = await createClient(previous).auth.createAccount({ email: account.email });
  await client.auth.openDevice(again);
};

/** A changed address signs in at both releases. */
export const changeEmailAtCurrent = async (
  previous: Release,
  current: Release,
  readCode: (address: string) => Promise<string>,
): Promise<void> => {
  const client = createClient(current);
  const account = await client.auth.createAccount();
  const device = await client.auth.openDevice(account);
  const newEmail = `new-${account.email}`;
  const requested = await client.as(device, 'POST', '/email/change', {
    newEmail,
    currentPassword: PASSWORD,
  });
  expect(requested.status, requested.text).to.equal(200);
  const checked = await client.as(device, 'POST', '/email/change/check', { code: await readCode(newEmail) });
  expect(checked.body.user.email, checked.text).to.equal(newEmail);
  await createClient(previous).auth.openDevice({ email: newEmail, password: PASSWORD });
  await expectRefused(previous, account.email);
};
