import { conflict, unauthorized } from '@platform/shared/errors/app-error';
import type { SignInMethod } from '@platform/shared/platform/access/caller';
import type { FactorMethod } from '../accounts/account.ts';
import type { Account, Session } from '../authentication/callers.ts';
import type { RemovedByProof } from '../endings/endings.ts';
import type { ConfirmedIdentity } from '../oidc/oidc.ts';
import type { IssuedRefreshToken } from '../sessions/refresh-token.ts';

/**
 * How the user proved the first step of a sign-in. A link to a provider is committed only after the second
 * step.
 */
export type FirstStep = {
  method: SignInMethod;
  provider?: ConfirmedIdentity;
  /** The choice of the first step. The second one takes none. */
  staySignedIn: boolean;
  /** Whether the second step is a mailed code, because the device is new. */
  asksEmailCode?: boolean;
};

export type SignedIn = IssuedRefreshToken & {
  account: Account;
  session: Session;
  /** The id of the token record. */
  tokenId: string;
  accessToken: string;
  /** Undefined unless this sign-in was the first proof of the address. */
  removedByProof?: RemovedByProof[] | undefined;
};

export const invalidCredentials = () =>
  unauthorized('INVALID_CREDENTIALS', 'The e-mail or the password is wrong');
/** Thrown only after the correct password. */
export const secondFactorRequired = (challenge: string, factors: readonly (FactorMethod | 'email-code')[]) =>
  unauthorized('SECOND_FACTOR_REQUIRED', 'The second factor is required', { challenge, factors });
export const factorNotOffered = () =>
  conflict('FACTOR_NOT_OFFERED', 'This sign-in does not accept this factor');
export const challengeInvalid = () =>
  unauthorized('CHALLENGE_INVALID', 'The challenge is not valid here or any more; sign in again');
