import { createHash } from 'node:crypto';
import { conflict } from '@platform/shared/errors/app-error';
import { generateRandomCode, normaliseRandomCode } from '@platform/shared/platform/codes/random-code';

/** The encrypted secret of an authenticator app. */
export type SealedSecret = { userId: string; sealedSecret: string };

/** Includes the time step of the last code, because each code is accepted once. */
export type TotpSecret = { sealedSecret: string; lastUsedStep: number | null };

export const secondFactorEnabled = () =>
  conflict('SECOND_FACTOR_ENABLED', 'An authenticator app is already enabled for this account');

/** How long a code may confirm a new app. */
export const TOTP_SET_UP_SECONDS = 600;

const RECOVERY_CODES = 10;
/** The length in base32: 120 bits. */
const RECOVERY_CODE_LENGTH = 24;

export const generateRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => generateRandomCode(RECOVERY_CODE_LENGTH));

/** No key is needed, because a plain hash of 120 random bits cannot be reversed (OWASP ASVS 5.0, 6.5.2). */
export const hashRecoveryCode = (userId: string, code: string): string =>
  createHash('sha256')
    .update(`${userId}:${normaliseRandomCode(code)}`)
    .digest('hex');
