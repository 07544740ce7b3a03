import { conflict, notFound, validationFailed } from '@platform/shared/errors/app-error';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

/** A passkey as shown to its owner. */
export type Passkey = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null };

/** The data by which an authenticator finds a passkey; `credentialId` is base64url. */
export type PasskeyCredential = { credentialId: string; transports: string[] };

export type NewCredential = PasskeyCredential & {
  /** A COSE_Key. */
  publicKey: Buffer;
  /** The number of signatures so far; always 0 for an authenticator that does not count. */
  counter: number;
  /** Whether its authenticator has verified the user, without which the passkey cannot sign in alone. */
  verifiesUser: boolean;
};

/** The data for verifying an assertion. */
export type StoredPasskey = { id: string; userId: string; credentialId: string; publicKey: Buffer };

/** A valid assertion. Only its signature counter has not been compared yet. */
export type VerifiedAssertion = { passkey: StoredPasskey; counter: number; verifiesUser: boolean };

export type PasskeyAttestation = RegistrationResponseJSON;
export type PasskeyAssertion = AuthenticationResponseJSON;

/** Whether the authenticator must verify the user by PIN, fingerprint or face. */
export type UserVerification = 'required' | 'preferred';

/**
 * The purpose of a WebAuthn challenge. `owner` is that of a preparation (registration, confirmation), the one
 * of a sign-in challenge (second-step), or a kind and a fingerprint (sign-in).
 */
export type CeremonyBinding = {
  purpose: 'registration' | 'confirmation' | 'second-step' | 'sign-in';
  owner: string;
};

/** A ceremony with a passkey as second factor. */
export type FactorCeremony = CeremonyBinding & {
  purpose: 'confirmation' | 'second-step';
  /** Set if the passkey replaces the password, too. */
  userVerification?: 'required';
};

/** The lifetime of a challenge. */
export const CEREMONY_SECONDS = 300;
/** The maximum per user. */
export const MAX_PASSKEYS = 20;

/**
 * The user handle that authenticators store: the bytes of the user's id in base64url, so no personal data.
 */
export const toUserHandle = (userId: string): string =>
  Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url');

/** The rule of a validation error for a new credential that WebAuthn does not allow. */
export type CredentialProblem = 'credential-id' | 'credential-key';
const PROBLEMS: Readonly<Record<CredentialProblem, { path: string; message: string }>> = {
  'credential-id': {
    path: '/body/response/id',
    message: 'must be the id in the authenticator data, of 1 to 1,023 bytes',
  },
  'credential-key': {
    path: '/body/response/response/attestationObject',
    message: 'must have a key of its algorithm: Ed25519, P-256, or RSA of 2,048 to 4,096 bits',
  },
};
export const credentialRejected = (rule: CredentialProblem) =>
  validationFailed('The authenticator has created an invalid credential', [{ ...PROBLEMS[rule], rule }]);

export const passkeyNotFound = () => notFound('PASSKEY_NOT_FOUND', 'Passkey not found');
export const passkeyTaken = () => conflict('PASSKEY_TAKEN', 'This passkey is already registered');
export const tooManyPasskeys = () =>
  conflict('PASSKEY_LIMIT_REACHED', `An account has at most ${MAX_PASSKEYS} passkeys; remove one first`);
