import { type AccountKind, ADMINISTRATOR, type Device } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import type { Records } from '@platform/shared/testing/records';
import { type RequestOptions, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { createFactorClient, type FactorClient } from '../factor-client.ts';

type Account = { userId: string; email: string; password: string };

/** Each response is validated. */
export const createValidatingClient = (gatewayUrl: string, kind: AccountKind): FactorClient =>
  createFactorClient(kind, ({ method = 'GET', path, ...options }) =>
    send(gatewayUrl, method, path, options as RequestOptions),
  );

/** The account has a verified address, which second factors need. */
export const createAccount = async (client: FactorClient, records: Records): Promise<Account> => {
  if (client.kind === ADMINISTRATOR) {
    const { id, email, password } = await records.user(['ADMIN'], { isEmailVerified: true });
    return { userId: id, email, password };
  }
  const account = await client.auth.createAccount();
  await records.verifyEmail(account.userId);
  return account;
};

/** Simulates that five minutes have passed since the last code, so that the codes of now are new. */
export const passTotpSteps = async (records: Records, { userId }: Account): Promise<void> => {
  const text = 'update totp_factors set last_used_step = last_used_step - 10 where user_id = $1';
  await records.query(text, [userId]);
};

/** Signs in with password and second factor; `createProof` gets the challenge. */
export const signInWithFactor = async (
  client: FactorClient,
  account: Account,
  createProof: (challenge: string, fingerprint: string) => object | Promise<object>,
): Promise<{ device: Device; response: HttpResponse }> => {
  const fingerprint = uniqueFingerprint();
  const challenge = await client.openChallenge(account, fingerprint);
  const response = await client.secondStep(challenge, fingerprint, await createProof(challenge, fingerprint));
  expect(response.status, response.text).to.equal(200);
  return { device: client.auth.toDevice(response), response };
};
