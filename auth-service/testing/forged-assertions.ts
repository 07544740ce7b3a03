import type { SoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';

/** Assertions that a sign-in without a password rejects, by their defect. */
export const FORGED_ASSERTIONS: [string, Parameters<SoftwareAuthenticator['get']>[1]][] = [
  ['of another origin', { origin: 'https://example.com' }],
  ['of another RP id', { rpId: 'example.com' }],
  ['in a frame of another origin', { crossOrigin: true }],
  ['without a present user', { userPresent: false }],
  ['without a verified user', { userVerified: false }],
  ['with the type of a registration', { type: 'webauthn.create' }],
  ['for a challenge that was never issued', { challenge: 'A'.repeat(43) }],
  ['without a user handle', { userHandle: null }],
  ['with the user handle of another user', { userHandle: 'AAAAAAAAQACAAAAAAAAAAA' }],
  ['with a tampered signature', { tamperSignature: true }],
];
