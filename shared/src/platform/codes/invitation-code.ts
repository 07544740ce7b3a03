import type { Secret } from '../../config/secrets.ts';
import { createCipher } from '../../encryption/cipher.ts';
import { createKeyedHashes } from './keyed-hashes.ts';
import { generateRandomCode, normaliseRandomCode } from './random-code.ts';

/** The length in base32: 160 bits. */
const CODE_LENGTH = 32;

export const generateInvitationCode = (): string => generateRandomCode(CODE_LENGTH);

/** The hash of the code is stored, and the code itself is only in the mail. */
export const createInvitationCodeHash = (secret: Secret): ((code: string) => string[]) => {
  const hashes = createKeyedHashes(secret);
  return (code) => hashes.map((hash) => hash('invitation', normaliseRandomCode(code)));
};

/** Encrypts the code in the outbox, so that no dump of the database contains it. */
export const createInvitationCipher = (secret: Secret) => createCipher(secret, 'invitation code');
