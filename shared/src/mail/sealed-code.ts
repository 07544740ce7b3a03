import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Hides a code while its mail waits: whoever can look into the queue, its failed jobs or a dump of Redis
 * sees none (OWASP ASVS 5.0, 6.4.1).
 */
export const createCodeSealer = (secret: string) => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'sealed code', 32));
  return {
    seal: (code: string): string => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce);
      const sealed = Buffer.concat([cipher.update(code, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    /** @throws Error when it was sealed with another secret or altered. */
    open: (sealedCode: string): string => {
      const bytes = Buffer.from(sealedCode, 'base64url');
      try {
        const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        });
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const opened = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([opened, decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new Error('The sealed code was altered, or sealed with another CODE_SECRET_KEY', { cause });
      }
    },
  };
};

export type CodeSealer = ReturnType<typeof createCodeSealer>;
