/**
 * All families of keys in Redis. Stores build their keys from these patterns, and SECURITY.md says what each
 * contains. The test bench decides for each whether its time is that of an account.
 */
export const KEY_FAMILIES = [
  'limit:*',
  '*:verification-code:*',
  '*:reset-password-code:*',
  '*:email-change-code:*',
  '*:sign-in-code:*',
  '*:new-device-code:*',
  '*-resend-lock:*',
  '*-sent:*',
  '*-sent-to-known-device:*',
  'email-change:*',
  'reset-device:*',
  'sign-in-challenge:*',
  'webauthn-challenge:*',
  'oidc-authorization:*',
  'oidc-logout-token:*',
  'provider-logout:*',
  'bot-check:*',
  'notices:*',
  'ready:*',
  'bull:*',
] as const;

export type KeyFamily = (typeof KEY_FAMILIES)[number];

/** The parts take the places of the asterisks. */
export const toRedisKey = (family: KeyFamily, ...parts: string[]): string => {
  const left = parts.values();
  return family.replaceAll('*', () => left.next().value ?? '');
};
