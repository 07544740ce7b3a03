import { conflict, notFound } from '@platform/shared/errors/app-error';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

/** As its owner sees it. */
export type Passkey = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null };

/** As authenticators find it; `credentialId` is base64url. */
export type PasskeyCredential = { credentialId: string; transports: string[] };

export type NewCredential = PasskeyCredential & {
  /** A COSE_Key. */
  publicKey: Buffer;
  /** The signatures so far; always 0 for an authenticator that does not count. */
  counter: number;
};

/** What an assertion is verified with. */
export type StoredPasskey = { id: string; userId: string; credentialId: string; publicKey: Buffer };

/** A valid assertion, of which only the signature counter is not compared yet. */
export type VerifiedAssertion = { passkey: StoredPasskey; counter: number };

export type PasskeyAttestation = RegistrationResponseJSON;
export type PasskeyAssertion = AuthenticationResponseJSON;

/** By PIN, fingerprint or face, in the authenticator. */
export type UserVerification = 'required' | 'preferred';

/**
 * What a challenge of WebAuthn is for. `owner` is the id of a token record (registration, confirmation), the one of a sign-in
 * challenge (second-step), or a kind and a fingerprint (sign-in).
 */
export type CeremonyBinding = {
  purpose: 'registration' | 'confirmation' | 'second-step' | 'sign-in';
  owner: string;
};

/** Of a passkey as second factor. */
export type FactorCeremony = CeremonyBinding & { purpose: 'confirmation' | 'second-step' };

/** Lifetime of a challenge. */
export const CEREMONY_SECONDS = 300;
/** Of one user. */
export const MAX_PASSKEYS = 20;

/** What authenticators store for the user: the bytes of the user's id, in base64url, and so no personal data. */
export const toUserHandle = (userId: string): string =>
  Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url');

export const passkeyNotFound = () => notFound('PASSKEY_NOT_FOUND', 'Passkey not found');
export const passkeyTaken = () => conflict('PASSKEY_TAKEN', 'This passkey is already registered');
export const tooManyPasskeys = () =>
  conflict('PASSKEY_LIMIT_REACHED', `An account has at most ${MAX_PASSKEYS} passkeys; remove one first`);
