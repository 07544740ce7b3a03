import type { Device } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { codeIn } from '@platform/shared/testing/inbox';
import { PASSKEY_ORIGIN } from '@platform/shared/testing/passkey-client';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '@platform/shared/testing/software-authenticator';
import { type FactorClient, nextTotpCode } from '../../factor-client.ts';
import { type Fixture, INVALID, passTotpSteps, type User } from '../fixture.ts';

export type FactorName = 'passkey' | 'TOTP';
export type Account = { email: string; password: string };
type Challenge = { challenge: string; fingerprint: string };
/** Proves the second step of a sign-in. */
type Prove = (waiting: Challenge) => Promise<object>;
/** The factor, and what else signs in with it. */
type Attack = [name: string, expected: string, send: () => Promise<HttpResponse>];
type Held = { proofs: Record<string, Prove>; authenticator: SoftwareAuthenticator | undefined };

const enablePasskey = async ({ factors, device }: User): Promise<Held> => {
  const { authenticator } = await factors.addPasskey(device);
  const prove: Prove = async ({ challenge, fingerprint }) => {
    const { body } = await factors.from(fingerprint, '/second-factor/options', { challenge });
    // After the removal there are no options: the passkey signs the challenge all the same.
    return { passkey: authenticator.get({ rpId: 'localhost', challenge, ...body, allowCredentials: [] }) };
  };
  return { proofs: { passkey: prove }, authenticator };
};

const enableTotp = async (fixture: Fixture, { id, factors, device }: User): Promise<Held> => {
  const totp = await factors.enableTotp(device);
  return {
    proofs: {
      'TOTP code': async () => {
        await passTotpSteps(fixture, id);
        return { totpCode: nextTotpCode(totp) };
      },
      'recovery code': async () => ({ recoveryCode: totp.recoveryCodes[0] }),
    },
    authenticator: undefined,
  };
};

/** Everything that an attacker can hold of an account with an unverified foreign address, in the data of earlier releases. */
export const createAttacker = async (fixture: Fixture, user: User, factor: FactorName) => {
  const { records, inbox } = fixture;
  const { factors } = user;
  await records.verifyEmail(user.id);
  const held = factor === 'passkey' ? await enablePasskey(user) : await enableTotp(fixture, user);
  const openChallenge = async (account: Account, client = factors): Promise<Challenge> => {
    const fingerprint = uniqueFingerprint();
    return { fingerprint, challenge: await client.openChallenge(account, fingerprint) };
  };
  const [prove = async () => ({})] = Object.values(held.proofs);
  const openSession = async (): Promise<Device> => {
    const waiting = await openChallenge(user);
    const proof = await prove(waiting);
    return factors.auth.toDevice(await factors.secondStep(waiting.challenge, waiting.fingerprint, proof));
  };
  const second = await openSession();
  const waiting = await openChallenge(user);
  const waitingProof = await prove(waiting);
  const newEmail = uniqueEmail();
  await factors.as(user.device, 'POST', '/email/change', { newEmail, currentPassword: PASSWORD });
  const code = codeIn(await inbox.untilMail(newEmail, ''));
  const ceremony = createSoftwareAuthenticator(PASSKEY_ORIGIN).create(
    await factors.getCreationOptions(user.device),
  );
  await records.query('update users set is_email_verified = false where id = $1', [user.id]);

  const register = (device: Device) =>
    factors.as(device, 'POST', '/passkeys', { response: ceremony, name: 'Mine' });
  const changeEmail = (device: Device) => factors.as(device, 'POST', '/email/change/check', { code });

  return {
    openSession,
    /** What is tried as soon as the address is proved, each with the expected outcome. */
    attacks: (owner: Device): Attack[] => [
      ['access token', '401 TOKEN_INVALID', () => factors.auth.me(user.device)],
      ['refresh token', '401 TOKEN_INVALID', () => factors.auth.refresh(user.device)],
      ['access token of the second session', '401 TOKEN_INVALID', () => factors.auth.me(second)],
      ['refresh token of the second session', '401 TOKEN_INVALID', () => factors.auth.refresh(second)],
      [
        'waiting challenge',
        '401 CHALLENGE_INVALID',
        () => factors.secondStep(waiting.challenge, waiting.fingerprint, waitingProof),
      ],
      ['e-mail-change code', '401 TOKEN_INVALID', () => changeEmail(user.device)],
      ["e-mail-change code in the owner's session", '400 CODE_INVALID', () => changeEmail(owner)],
      ['passkey ceremony', '401 TOKEN_INVALID', () => register(user.device)],
      ["passkey ceremony in the owner's session", INVALID, () => register(owner)],
    ],
    /** Sign-ins of a kind with the factor; that as the second step gets the owner's password for nothing. */
    signIns: (client: FactorClient, owner: Account): Attack[] => {
      const asSecondStep = Object.entries(held.proofs).map(([name, prove]): Attack => {
        const send = async () => {
          const challenge = await openChallenge(owner, client);
          return await client.secondStep(challenge.challenge, challenge.fingerprint, await prove(challenge));
        };
        return [`${name} as the second step`, INVALID, send];
      });
      const { authenticator } = held;
      if (!authenticator) return asSecondStep;
      const send = async () =>
        client.signInWithPasskey('attacker', authenticator.get(await client.getPasskeyOptions('attacker')));
      return [...asSecondStep, ['passkey without a password', INVALID, send]];
    },
  };
};

export type Attacker = Awaited<ReturnType<typeof createAttacker>>;
