import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import { codeIn, createInboxClient } from '@platform/shared/testing/inbox';
import { expectError, type RequestOptions, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { createFactorClient, nextTotpCode } from '../../factor-client.ts';
import type { FlowFixture } from './flows.ts';
import type { Release } from './releases.ts';

const createClient = ({ addresses: { gatewayUrl } }: Release) =>
  createFactorClient(CUSTOMER, ({ method = 'GET', path, ...options }) =>
    send(gatewayUrl, method, path, options as RequestOptions),
  );

type Client = ReturnType<typeof createClient>;

const expectRefused = async ({ auth }: Client, email: string): Promise<void> => {
  const { status, text } = await auth.signIn({ email, password: PASSWORD }, uniqueFingerprint());
  expect(status, text).to.equal(401);
};

/** A factor that one release has added is required by the other; either continues a sign-in. */
export const shareFactors = async (one: Release, other: Release, { records }: FlowFixture): Promise<void> => {
  const [here, there] = [createClient(one), createClient(other)];
  const account = await here.auth.createAccount();
  await records.verifyEmail(account.userId);
  const totp = await here.enableTotp(await here.auth.openDevice(account));
  const fingerprint = uniqueFingerprint();
  const challenge = await there.openChallenge(account, fingerprint);
  const proof = { totpCode: nextTotpCode(totp) };
  const signedIn = here.auth.toDevice(await here.secondStep(challenge, fingerprint, proof));
  await there.auth.expectSignedIn(signedIn);
};

/** An account that one release has deleted does not exist for the other; its address is free at both. */
export const shareDeletion = async (one: Release, other: Release): Promise<void> => {
  const [here, there] = [createClient(one), createClient(other)];
  const account = await here.auth.createAccount();
  const device = await there.auth.openDevice(account);
  const deleted = await here.as(device, 'POST', '/account/delete', { currentPassword: PASSWORD });
  expect(deleted.status, deleted.text).to.equal(204);
  expectError(await there.auth.me(device), 401, 'TOKEN_INVALID');
  await expectRefused(there, account.email);
  await here.auth.openDevice(await there.auth.createAccount({ email: account.email }));
};

/** An address that was changed at one release signs in at the other. A worker must run. */
export const shareEmailChange = async (
  one: Release,
  other: Release,
  { inboxUrl }: FlowFixture,
): Promise<void> => {
  const [here, there] = [createClient(one), createClient(other)];
  const account = await here.auth.createAccount();
  const device = await here.auth.openDevice(account);
  const newEmail = `new-${account.email}`;
  const change = { newEmail, currentPassword: PASSWORD };
  const requested = await here.as(device, 'POST', '/email/change', change);
  expect(requested.status, requested.text).to.equal(200);
  const code = codeIn(await createInboxClient(inboxUrl).untilMail(newEmail, ''));
  const checked = await here.as(device, 'POST', '/email/change/check', { code });
  expect(checked.body.user.email, checked.text).to.equal(newEmail);
  await there.auth.openDevice({ email: newEmail, password: PASSWORD });
  await expectRefused(there, account.email);
};
