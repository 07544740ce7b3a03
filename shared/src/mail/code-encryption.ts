import type { Secret } from '../config/secrets.ts';
import { type Cipher, createCipher } from '../encryption/cipher.ts';

export type CodeCipher = Cipher;

/**
 * Encrypts codes in queued mails, so that read access to the queue, failed jobs or a Redis dump reveals none (OWASP ASVS
 * 5.0, 6.4.1).
 */
export const createCodeCipher = (secret: Secret): CodeCipher => createCipher(secret, 'sealed code');
