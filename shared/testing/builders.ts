import { randomBytes } from 'node:crypto';

const unique = (): string => randomBytes(8).toString('hex');

/** The address is in lower case, as the platform stores it. */
export const uniqueEmail = (): string => `user-${unique()}@example.com`;

export const uniqueFingerprint = (): string => `device-${unique()}`;

/** Returns an address of TEST-NET-3 (RFC 5737). */
export const someAddress = (): string => `203.0.113.${1 + Math.floor(Math.random() * 254)}`;

export const PASSWORD = 'Correct horse 1';
export const WRONG_PASSWORD = 'Battery staple 2';
/** Confirms a change of the own account. */
export const CONFIRMATION = { currentPassword: PASSWORD };
