import { createHash } from 'node:crypto';
import type { AccountWithPassword } from './account.ts';

/** Waiting sign-ins and pending changes are bound to this state. */
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
