import { createHash } from 'node:crypto';
import { tokenInvalid } from '@platform/shared/errors/app-error';
import type { AccountWithPassword } from './account.ts';

/** Everything that is prepared for a later request is bound to this state. */
export type AccountState = Pick<AccountWithPassword, 'passwordHash' | 'factorVersion' | 'isEmailVerified'>;

/**
 * Changes whenever the account's password, factors or platform role change, and with the first proof of its
 * e-mail.
 */
export const toStateDigest = ({ passwordHash, factorVersion, isEmailVerified }: AccountState): string =>
  createHash('sha256').update(`${isEmailVerified}:${factorVersion}:${passwordHash}`).digest('base64url');

/** Whether the account is still in the state of the digest. */
export const isStateCurrent = ({ accountState }: { accountState: string }, state: AccountState): boolean =>
  toStateDigest(state) === accountState;

/**
 * Names the session that prepared something (passkey options, an authenticator app, a link to a provider)
 * and the state of the account at that time. Only this session can complete it, and only in that state.
 * Compare it with the state of the locked account, because a change may be concurrent.
 * @throws AppError 401 TOKEN_INVALID if the account was deleted in the meantime
 */
export const toPreparationOwner = (tokenId: string, state: AccountState | undefined): string => {
  if (!state) throw tokenInvalid();
  return `${tokenId}:${toStateDigest(state)}`;
};
