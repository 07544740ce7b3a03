import { conflict, validationFailed } from '@platform/shared/errors/app-error';
import type { FactorMethod } from '../accounts/account.ts';
import type { PasskeyAssertion } from '../passkeys/passkeys.ts';

/** A proof of a second factor; a request has at most one. */
export type FactorProof = { totpCode: string } | { recoveryCode: string } | { passkey: PasskeyAssertion };

export type Confirmation = { currentPassword: string; proof: FactorProof | undefined };

/** The encrypted secret of an authenticator app. */
export type SealedSecret = { userId: string; sealedSecret: string };

/** With the time step of the last code, each of which is accepted once. */
export type TotpSecret = { sealedSecret: string; lastUsedStep: number | null };

/** The fields of a body that proves a factor. */
type ProofFields = { totpCode?: string; recoveryCode?: string; passkey?: PasskeyAssertion };

/** Undefined without a proof. @throws AppError 400 VALIDATION_FAILED for several */
export const findProof = ({ totpCode, recoveryCode, passkey }: ProofFields): FactorProof | undefined => {
  const proofs: FactorProof[] = [
    ...(totpCode === undefined ? [] : [{ totpCode }]),
    ...(recoveryCode === undefined ? [] : [{ recoveryCode }]),
    ...(passkey === undefined ? [] : [{ passkey }]),
  ];
  if (proofs.length > 1) throw proofExpected();
  return proofs[0];
};

/** @throws AppError 400 VALIDATION_FAILED unless there is exactly one */
export const requireProof = (fields: ProofFields): FactorProof => {
  const proof = findProof(fields);
  if (!proof) throw proofExpected();
  return proof;
};

export const getMethod = (proof: FactorProof): FactorMethod => {
  if ('totpCode' in proof) return 'totp';
  return 'passkey' in proof ? 'passkey' : 'recovery-code';
};

export const proofExpected = () =>
  validationFailed('The body must prove one second factor', [
    {
      path: '/body',
      message: 'must have exactly one of totpCode, recoveryCode and passkey',
      rule: 'one-factor',
    },
  ]);
export const secondFactorEnabled = () =>
  conflict('SECOND_FACTOR_ENABLED', 'An authenticator app is already enabled for this account');
