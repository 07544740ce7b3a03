import { conflict, forbidden, notFound } from '@platform/shared/errors/app-error';
import type { LockedAccount } from '@platform/shared/platform/accounts/account';

/** `hasFactor`: an app or a passkey. */
export type FactorState = { hasTotp: boolean; hasFactor: boolean; isSecondStepOn: boolean };

export const pauseNotFound = () => notFound('PAUSE_NOT_FOUND', 'The account is not paused for this secret');
export const totpNotFound = () => notFound('FACTOR_NOT_FOUND', 'The user has no authenticator app');
export const userPasskeyNotFound = () => notFound('PASSKEY_NOT_FOUND', 'Passkey not found');
export const userIdentityNotFound = () => notFound('IDENTITY_NOT_FOUND', 'Identity not found');
export const userLastSignInMethod = () =>
  conflict('LAST_SIGN_IN_METHOD', 'The user could not sign in any more');

/**
 * Users remove their own factors with the password and a factor instead, because a stolen session must not be
 * sufficient. @throws AppError 403
 */
export const requireOtherUser = (user: Pick<LockedAccount, 'id'>, callerId: string): void => {
  if (user.id === callerId)
    throw forbidden('OWN_SECOND_FACTOR', 'Your own second factor cannot be removed here');
};
