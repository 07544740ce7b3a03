import { createHash, randomInt } from 'node:crypto';
import type { Cipher } from '@platform/shared/encryption/cipher';
import { normaliseRandomCode } from '@platform/shared/platform/codes/random-code';

const RECOVERY_CODES = 10;
/** Without 0, 1, i, l, o and u, which people mix up. */
const CHARACTERS = 'abcdefghjkmnpqrstvwxyz23456789';
/** 49 random bits, which the limit of attempts protects. */
const CODE_LENGTH = 10;

const generateCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');

/** The user id is a salt. */
const hash = (userId: string, code: string): string =>
  createHash('sha256')
    .update(`${userId}:${normaliseRandomCode(code)}`)
    .digest('base64url');

/** Undefined for a hash that was altered, or encrypted with a lost key: it is no code's. */
const tryDecrypt = (cipher: Cipher, sealed: string): string | undefined => {
  try {
    return cipher.decrypt(sealed);
  } catch (error) {
    if (error instanceof AggregateError) return undefined;
    throw error;
  }
};

/**
 * The hash of so short a code can be reversed, so it is encrypted with a key that is not in the database
 * (OWASP ASVS 5.0, 6.5.2).
 */
export const createRecoveryCodes = (cipher: Cipher) => ({
  generate: (): string[] => Array.from({ length: RECOVERY_CODES }, generateCode),

  seal: (userId: string, codes: readonly string[]): string[] =>
    codes.map((code) => cipher.encrypt(hash(userId, code))),

  /** The stored hash of the code, if it is among those of the user. */
  find: (userId: string, code: string, stored: readonly string[]): string | undefined => {
    const hashed = hash(userId, code);
    // The time of comparing two hashes depends on nothing in the code.
    return stored.find((sealed) => tryDecrypt(cipher, sealed) === hashed);
  },
});

export type RecoveryCodes = ReturnType<typeof createRecoveryCodes>;
