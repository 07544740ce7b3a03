import type { Secret } from '../../config/secrets.ts';
import { type Cipher, createCipher } from '../../encryption/cipher.ts';
import { type MailJob, maskAddress } from './mail.ts';

export type MailCipher = Cipher;

/**
 * Encrypts queued mails, so that read access to the queue, failed jobs or a Redis dump reveals neither codes
 * (OWASP ASVS 5.0, 6.4.1) nor addresses. The purpose keeps its old name, because the key is derived from it.
 */
export const createMailCipher = (secret: Secret): MailCipher => createCipher(secret, 'sealed code');

/** Longer than the mail with a code, so that its length does not tell it from a decoy. */
const PADDED_LENGTH = 1_024;

const pad = (json: string): string => json.padEnd(Math.ceil(json.length / PADDED_LENGTH) * PADDED_LENGTH);

/**
 * The job as stored in Redis. The whole mail is encrypted. The fields by which operators find it in the logs,
 * and those that the back office needs to list it, are not, so that nobody decrypts codes for a list.
 */
export const sealMailJob = ({ mail, ...rest }: MailJob, { encrypt }: MailCipher) => ({
  ...rest,
  // The outbox has the recipient of a mail without an address.
  recipient: maskAddress('to' in mail ? mail.to : ''),
  ...('expiresAt' in mail && { expiresAt: mail.expiresAt }),
  sealedMail: encrypt(pad(JSON.stringify(mail))),
});

export type SealedMailJob = ReturnType<typeof sealMailJob>;

/** @throws AggregateError when the key is unknown */
export const openMailJob = ({ sealedMail, ...rest }: SealedMailJob, { decrypt }: MailCipher) => ({
  ...rest,
  mail: JSON.parse(decrypt(sealedMail)) as unknown,
});
