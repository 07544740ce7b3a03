import type { Cipher } from '@platform/shared/encryption/cipher';
import { generateSecret, generateURI, verifySync } from 'otplib';
import type { TotpSecret } from './second-factor.ts';

// The algorithm that authenticator apps support (RFC 6238): SHA-1, six digits and 30 s, the defaults of the
// library.
const STEP_SECONDS = 30;
const SECRET_BYTES = 20;

export type NewTotpSecret = { secret: string; sealedSecret: string; otpauthUrl: string };

/**
 * Verifies codes of authenticator apps. Their secrets are encrypted at rest.
 * @param issuer the name that apps show
 */
export const createTotpCodes = (cipher: Cipher, issuer: string) => ({
  createSecret: (email: string): NewTotpSecret => {
    const secret = generateSecret({ length: SECRET_BYTES });
    return {
      secret,
      sealedSecret: cipher.encrypt(secret),
      otpauthUrl: generateURI({ issuer, label: email, secret }),
    };
  },

  /**
   * Accepts one step of clock difference, and each step once. Returns what to store: the step, and the secret
   * encrypted with the current key. Undefined if the code is wrong or already used.
   */
  verify: ({ sealedSecret, lastUsedStep }: TotpSecret, code: string) => {
    const secret = cipher.decrypt(sealedSecret);
    const result = verifySync({ secret, token: code, epochTolerance: STEP_SECONDS });
    if (!result.valid || !('timeStep' in result)) return undefined;
    const isUsed = lastUsedStep !== null && result.timeStep <= lastUsedStep;
    return isUsed ? undefined : { sealedSecret: cipher.encrypt(secret), step: result.timeStep };
  },
});

export type TotpCodes = ReturnType<typeof createTotpCodes>;
