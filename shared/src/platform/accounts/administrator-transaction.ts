import type { InTransaction } from '../../db/database.ts';
import { tokenInvalid, userBlocked } from '../../errors/app-error.ts';
import type { ActingAdministrator, By, ByAdministrator } from '../access/by.ts';
import { findPlatformRole, workspaceForbidden } from '../access/platform-role.ts';
import { type LockedAccount, userNotFound } from './account.ts';
import type { AccountChangeStore } from './account-changes-store.ts';

type Stores = { accountChanges: AccountChangeStore };

/** `user` is undefined if the user that the change concerns is unknown or deleted, or if it concerns none. */
export type LockedAccounts = { administrator: LockedAccount; user: LockedAccount | undefined };

/**
 * Begins a change by a user of the back office: nothing is committed after the session has ended or the user is
 * blocked. Every transaction that removes a role, blocks a user or ends a session locks the user as well, so it
 * either waits for the end of this change, or this change finds what it has done.
 * @param userId the user whom the change concerns, who is locked, too
 * @throws AppError 401 TOKEN_INVALID, USER_BLOCKED
 */
export const lockSignedIn = async (
  { accountChanges }: Stores,
  { userId: administratorId, tokenId }: ActingAdministrator,
  userId?: string,
): Promise<LockedAccounts> => {
  const ids = userId === undefined ? [administratorId] : [administratorId, userId];
  const locked = await accountChanges.lockAll(ids);
  const administrator = locked.get(administratorId);
  if (!administrator || !(await accountChanges.hasSession(administratorId, tokenId))) throw tokenInvalid();
  if (administrator.isBlocked) throw userBlocked();
  return { administrator, user: userId === undefined ? undefined : locked.get(userId) };
};

/**
 * Like `lockSignedIn`, for a change by an ADMIN: nothing is committed after the ADMIN has lost the role.
 * @throws AppError 401 TOKEN_INVALID, USER_BLOCKED, 403 WORKSPACE_FORBIDDEN
 */
export const lockAdministrator: typeof lockSignedIn = async (...args) => {
  const locked = await lockSignedIn(...args);
  if (findPlatformRole(locked.administrator.roles) !== 'ADMIN') throw workspaceForbidden();
  return locked;
};

/** Like `inTransaction`, for a change by an ADMIN, whom it locks with the user whom the change concerns. */
export type AsAdministrator<Stores> = <Result>(
  by: ByAdministrator,
  work: (stores: Stores, locked: LockedAccounts) => Promise<Result>,
  userId?: string,
) => Promise<Result>;

/** For changes of the user with the id, who is locked, too. @throws AppError 404 */
export const createChangeUser =
  <Stores>(asAdministrator: AsAdministrator<Stores>) =>
  <Result>(
    id: string,
    by: ByAdministrator,
    change: (stores: Stores, user: LockedAccount, administrator: LockedAccount) => Promise<Result>,
  ): Promise<Result> => {
    const work = async (stores: Stores, { user, administrator }: LockedAccounts): Promise<Result> => {
      if (!user) throw userNotFound();
      return await change(stores, user, administrator);
    };
    return asAdministrator(by, work, id);
  };

/** Like `inTransaction`, for a change that others than an ADMIN make as well. */
export type InTransactionBy<Stores> = <Result>(
  by: By,
  work: (stores: Stores) => Promise<Result>,
) => Promise<Result>;

/** The only ways to a transaction for the operations of the back office. */
export const createTransactionsBy = <Own extends Stores>(
  inTransaction: InTransaction<Own>,
): { asAdministrator: AsAdministrator<Own>; inTransaction: InTransactionBy<Own> } => {
  const asAdministrator: AsAdministrator<Own> = ({ administrator }, work, userId) =>
    inTransaction(async (stores) => work(stores, await lockAdministrator(stores, administrator, userId)));
  return {
    asAdministrator,
    inTransaction: (by, work) => ('administrator' in by ? asAdministrator(by, work) : inTransaction(work)),
  };
};
