import type { AccountKind } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import type { EnabledTotp } from '@platform/shared/testing/second-factor-client';
import { type AddedPasskey, createFactorClient, type FactorClient } from '../../factor-client.ts';
import type { Fixture, User } from '../fixture.ts';

export type FactorUser = User & { factors: FactorClient; totp: EnabledTotp };
export type PasskeyUser = User & { factors: FactorClient; passkey: AddedPasskey };
type Challenge = { challenge: string; fingerprint: string };

export const INVALID = '401 SECOND_FACTOR_INVALID';
export const CHALLENGE_INVALID = '401 CHALLENGE_INVALID';

export const createClient = ({ send }: Fixture, kind: AccountKind): FactorClient =>
  createFactorClient(kind, ({ path, ...options }) => send(path, options));

/** Second factors need a verified address. */
export const createVerifiedUser = async (fixture: Fixture, kind: AccountKind): Promise<User> => {
  const user = await fixture.createUser(kind);
  await fixture.records.verifyEmail(user.id);
  return user;
};

/** A user with a TOTP factor. */
export const createFactorUser = async (fixture: Fixture, kind: AccountKind): Promise<FactorUser> => {
  const user = await createVerifiedUser(fixture, kind);
  const factors = createClient(fixture, kind);
  return { ...user, factors, totp: await factors.enableTotp(user.device) };
};

export const createPasskeyUser = async (fixture: Fixture, kind: AccountKind): Promise<PasskeyUser> => {
  const user = await createVerifiedUser(fixture, kind);
  const factors = createClient(fixture, kind);
  return { ...user, factors, passkey: await factors.addPasskey(user.device) };
};

export const openChallenge = async (user: User & { factors: FactorClient }): Promise<Challenge> => {
  const fingerprint = uniqueFingerprint();
  return { fingerprint, challenge: await user.factors.openChallenge(user, fingerprint) };
};

/** Simulates that five minutes have passed since the last code, so that the codes of now are new. */
export const passTotpSteps = async ({ records }: Fixture, userId: string): Promise<void> => {
  await records.query('update totp_factors set last_used_step = last_used_step - 10 where user_id = $1', [
    userId,
  ]);
};

/** The attack is refused with this status and code, and sets no cookie. */
export const checkRefused = (
  fixture: Fixture,
  attack: string,
  response: HttpResponse,
  expected: string,
): void => {
  const isRefused = formatStatus(response) === expected && response.headers['set-cookie'] === undefined;
  fixture.check(isRefused, attack, response);
};

/** A legitimate request between attacks; the attacks would prove nothing if it failed. */
export const checkAccepted = (
  fixture: Fixture,
  name: string,
  response: HttpResponse,
  status: number,
): void => {
  fixture.check(response.status === status, name, response);
};
