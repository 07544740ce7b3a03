import { createHash, randomBytes } from 'node:crypto';
import { conflict } from '@platform/shared/errors/app-error';

/** The encrypted secret of an authenticator app. */
export type SealedSecret = { userId: string; sealedSecret: string };

/** Includes the time step of the last code, because each code is accepted once. */
export type TotpSecret = { sealedSecret: string; lastUsedStep: number | null };

export const secondFactorEnabled = () =>
  conflict('SECOND_FACTOR_ENABLED', 'An authenticator app is already enabled for this account');

const RECOVERY_CODES = 10;
/** The length in base32: 120 bits. */
const RECOVERY_CODE_LENGTH = 24;
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

const generateRecoveryCode = (): string => {
  const characters = [...randomBytes(RECOVERY_CODE_LENGTH)].map((byte) => BASE32[byte % BASE32.length]);
  return (characters.join('').match(/.{4}/g) ?? []).join('-');
};

export const generateRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, generateRecoveryCode);

/** Users type codes in capitals, without the dashes or with spaces. */
const normalise = (code: string): string => code.toLowerCase().replace(/[\s-]/g, '');

/** No key is needed, because a plain hash of 120 random bits cannot be reversed (OWASP ASVS 5.0, 6.5.2). */
export const hashRecoveryCode = (userId: string, code: string): string =>
  createHash('sha256')
    .update(`${userId}:${normalise(code)}`)
    .digest('hex');
