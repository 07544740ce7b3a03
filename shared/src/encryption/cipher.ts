import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Secret } from '../config/secrets.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The purpose of a key. It must never change, because the key is derived from it. */
type Purpose = 'sealed code' | 'TOTP secret' | 'recovery code' | 'pending e-mail' | 'invitation code';

const decryptWithKey = (key: Buffer, bytes: Buffer): string => {
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const decrypted = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decrypted, decipher.final()]).toString('utf8');
};

/**
 * Authenticated encryption of short texts, to base64url. The key is derived from the secret and the purpose,
 * so that a text encrypted for one purpose cannot be decrypted for another. Previous secrets still decrypt.
 */
export const createCipher = ({ current, previous }: Secret, purpose: Purpose) => {
  const deriveKey = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  const key = deriveKey(current);
  const decryptionKeys = [key, ...previous.map(deriveKey)];
  return {
    encrypt: (text: string): string => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce);
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url');
    },
    /** @throws AggregateError if the secret is unknown or the text was altered */
    decrypt: (encrypted: string): string => {
      const bytes = Buffer.from(encrypted, 'base64url');
      const errors: unknown[] = [];
      for (const decryptionKey of decryptionKeys) {
        try {
          return decryptWithKey(decryptionKey, bytes);
        } catch (error) {
          errors.push(error);
        }
      }
      throw new AggregateError(errors, `A ${purpose} was altered, or encrypted with another key`);
    },
  };
};

export type Cipher = ReturnType<typeof createCipher>;
