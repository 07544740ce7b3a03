import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Secret } from '../config/secrets.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const deriveKey = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'sealed code', 32));

const decryptWithKey = (key: Buffer, bytes: Buffer): string => {
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const decrypted = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decrypted, decipher.final()]).toString('utf8');
};

/**
 * Encrypts codes in queued mails, so that read access to the queue, failed jobs or a Redis dump reveals none (OWASP ASVS
 * 5.0, 6.4.1). Previous secrets still decrypt.
 */
export const createCodeCipher = ({ current, previous }: Secret) => {
  const key = deriveKey(current);
  const decryptionKeys = [key, ...previous.map(deriveKey)];
  return {
    encrypt: (code: string): string => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce);
      const sealed = Buffer.concat([cipher.update(code, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    /** @throws AggregateError when the secret is unknown or the text was altered */
    decrypt: (sealedCode: string): string => {
      const bytes = Buffer.from(sealedCode, 'base64url');
      const errors: unknown[] = [];
      for (const decryptionKey of decryptionKeys) {
        try {
          return decryptWithKey(decryptionKey, bytes);
        } catch (error) {
          errors.push(error);
        }
      }
      throw new AggregateError(
        errors,
        'The encrypted code was altered, or encrypted with another CODE_SECRET_KEY',
      );
    },
  };
};

export type CodeCipher = ReturnType<typeof createCodeCipher>;
