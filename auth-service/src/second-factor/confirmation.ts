import { badRequest, forbidden, validationFailed } from '@platform/shared/errors/app-error';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { FactorMethod } from '../accounts/account.ts';

/** A proof of a second factor; a request has at most one. */
export type FactorProof =
  | { totpCode: string }
  | { recoveryCode: string }
  | { passkey: AuthenticationResponseJSON };
/** A proof of the second step of a sign-in, where a mailed code may take the place of the factors. */
export type StepProof = FactorProof | { emailCode: string };

/** The fields of a body that prove a factor. */
type ProofFields = { totpCode?: string; recoveryCode?: string; passkey?: AuthenticationResponseJSON };
/** The fields of a sign-in's second step, which may also be a mailed code. */
type StepFields = ProofFields & { emailCode?: string };
/** The fields of a body that confirm a change of the caller's account. */
type ConfirmationFields = ProofFields & { currentPassword?: string };

/** How a signed-in user confirms a change of the user's account. */
export type Confirmation = { currentPassword: string | undefined; proof: FactorProof | undefined };

/**
 * Whether a change needs a second factor in addition to the password. `if-due`: while a second step is due.
 * `or-passkey`: likewise, and a passkey alone is enough if its authenticator has verified the user.
 */
export type FactorRequirement = 'never' | 'if-due' | 'or-passkey';

/** How long a sign-in confirms changes of an account without a password and a factor. */
export const REAUTHENTICATION_SECONDS = 300;

/** Refreshes of the session do not count, and neither does single sign-on. */
export const isSignInRecent = ({ authenticatedAt }: { authenticatedAt: Date | null }): boolean =>
  authenticatedAt !== null && authenticatedAt.getTime() + REAUTHENTICATION_SECONDS * 1_000 >= Date.now();

/** Undefined if there is no proof. @throws AppError 400 VALIDATION_FAILED if there are several */
const findProof = ({ totpCode, recoveryCode, passkey }: ProofFields): FactorProof | undefined => {
  const proofs: FactorProof[] = [
    ...(totpCode === undefined ? [] : [{ totpCode }]),
    ...(recoveryCode === undefined ? [] : [{ recoveryCode }]),
    ...(passkey === undefined ? [] : [{ passkey }]),
  ];
  if (proofs.length > 1) throw proofExpected();
  return proofs[0];
};

/** @throws AppError 400 VALIDATION_FAILED unless there is exactly one */
const requireProof = (fields: ProofFields): FactorProof => {
  const proof = findProof(fields);
  if (!proof) throw proofExpected();
  return proof;
};

/** @throws AppError 400 VALIDATION_FAILED unless there is exactly one */
export const requireStepProof = ({ emailCode, ...fields }: StepFields): StepProof => {
  if (emailCode === undefined) return requireProof(fields);
  if (findProof(fields)) throw proofExpected();
  return { emailCode };
};

/** @throws AppError 400 VALIDATION_FAILED for several proofs */
export const toConfirmation = (fields: ConfirmationFields): Confirmation => ({
  currentPassword: fields.currentPassword,
  proof: findProof(fields),
});

/** A passkey whose authenticator verifies the user counts as two factors, as at a sign-in. */
export const isPasskeyAlone = ({ currentPassword, proof }: Confirmation): boolean =>
  currentPassword === undefined && proof !== undefined && 'passkey' in proof;

export const getMethod = (proof: StepProof): FactorMethod | 'email-code' => {
  if ('emailCode' in proof) return 'email-code';
  if ('totpCode' in proof) return 'totp';
  return 'passkey' in proof ? 'passkey' : 'recovery-code';
};

export const currentPasswordRequired = () =>
  validationFailed('The current password is required', [
    {
      path: '/body/currentPassword',
      message: "must have required property 'currentPassword'",
      rule: 'required',
      params: { missingProperty: 'currentPassword' },
    },
  ]);
export const currentPasswordWrong = () =>
  badRequest('CURRENT_PASSWORD_WRONG', 'The current password is wrong');
const proofExpected = () =>
  validationFailed('The body must prove one second factor', [
    {
      path: '/body',
      message: 'must have exactly one of totpCode, recoveryCode and passkey',
      rule: 'one-factor',
    },
  ]);
/** `factors` are the account's, as in the response to a sign-in that requires one. */
export const factorRequired = (factors: readonly FactorMethod[]) =>
  forbidden('FACTOR_REQUIRED', 'Prove a second factor in addition to the password', { factors });
export const reauthenticationRequired = () =>
  forbidden('REAUTHENTICATION_REQUIRED', 'Prove a second factor, or sign in again');
