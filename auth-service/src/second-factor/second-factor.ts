import type { SignInMethod } from '@platform/shared/access/second-factor-requirement';
import { conflict, validationFailed } from '@platform/shared/errors/app-error';

/** An authenticator's assertion: AuthenticationResponseJSON of WebAuthn Level 3. */
export type PasskeyAssertion = {
  id: string;
  rawId: string;
  type: 'public-key';
  response: {
    clientDataJSON: string;
    authenticatorData: string;
    signature: string;
    userHandle?: string;
  };
  authenticatorAttachment?: 'platform' | 'cross-platform';
  clientExtensionResults: object;
};

/** A proof of a second factor; a request has at most one. */
export type FactorProof = { totpCode: string } | { recoveryCode: string } | { passkey: PasskeyAssertion };

/** A way to prove a second factor; the `factors` of a sign-in that needs one. */
export type FactorMethod = Exclude<SignInMethod, 'password'>;

/**
 * The WebAuthn challenge of a passkey is bound to it. `owner` is the id of the caller's token record, or the SHA-256 of the
 * challenge of a sign-in (SignInChallenge.owner).
 */
export type Ceremony = { purpose: 'confirmation' | 'second-step'; owner: string };

/** A stored secret of an authenticator app, encrypted. */
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

export const proofExpected = () =>
  validationFailed('The body must prove one second factor', [
    { path: '/body', message: 'must have exactly one of totpCode, recoveryCode and passkey' },
  ]);
export const secondFactorEnabled = () =>
  conflict('SECOND_FACTOR_ENABLED', 'An authenticator app is already enabled for this account');
