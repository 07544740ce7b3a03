import type { Secret } from '../config/secrets.ts';
import { type Cipher, createCipher } from '../encryption/cipher.ts';
import type { MailJob } from './mail.ts';

export type CodeCipher = Cipher;

/**
 * Encrypts codes and the mails in the queue, so that read access to the queue, failed jobs or a Redis dump reveals no code
 * (OWASP ASVS 5.0, 6.4.1) and no address.
 */
export const createCodeCipher = (secret: Secret): CodeCipher => createCipher(secret, 'sealed code');

/** What Redis stores: the mail is encrypted as a whole, and what an operator needs to find it in the logs is not. */
export const sealMailJob = ({ mail, ...rest }: MailJob, { encrypt }: CodeCipher) => ({
  ...rest,
  sealedMail: encrypt(JSON.stringify(mail)),
});

export type SealedMailJob = ReturnType<typeof sealMailJob>;

/** @throws AggregateError when the key is unknown */
export const openMailJob = ({ sealedMail, ...rest }: SealedMailJob, { decrypt }: CodeCipher) => ({
  ...rest,
  mail: JSON.parse(decrypt(sealedMail)) as unknown,
});
