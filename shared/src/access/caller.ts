import { createKeyLoader } from '../db/batch-loader.ts';
import { type Database, query } from '../db/database.ts';
import { tokenInvalid, userBlocked } from '../errors/app-error.ts';
import type { Language } from '../mail/mail.ts';
import type { TokenClaims } from '../tokens/tokens.ts';

/** The user behind a request, as stored now. */
export type CallerAccount = {
  userId: string;
  email: string;
  isEmailVerified: boolean;
  isBlocked: boolean;
  roles: string[];
  /** Of the mails to the user. */
  language: Language;
  createdAt: Date;
};

/** The authenticated caller of a request: user, session and token record. A service adds what else it needs. */
export type Caller<
  Account extends CallerAccount = CallerAccount,
  Session extends { id: string } | null = { id: string } | null,
> = {
  account: Account;
  session: Session;
  /** The token record; it is created at sign-in and kept by every refresh. */
  tokenId: string;
};

type CallerRow = { key: string; userId: string; isBlocked: boolean };

type AccessCheck<Row> = {
  /** Of the prepared statement. */
  name: string;
  /** Selects the rows whose `access_token_id`, aliased as `key`, is in the array `$1`. */
  text: string;
  /** An expired row counts as not found. */
  isExpired?: (row: Row) => boolean;
};

/**
 * The access check of every authenticated request: the token record must exist and belong to the user of the claims, who
 * must not be blocked. One statement serves all requests that arrive in the same turn of the event loop, so do not use it
 * within a transaction.
 * @throws AppError 401 TOKEN_INVALID, USER_BLOCKED
 */
export const createAccessCheck = <Row extends CallerRow>(
  database: Database,
  { name, text, isExpired = () => false }: AccessCheck<Row>,
): ((claims: TokenClaims) => Promise<Row>) => {
  const load = createKeyLoader((ids) => query<Row>(database, { name, text, values: [ids] }));
  return async ({ storedId, userId }) => {
    const row = await load(storedId);
    if (row?.userId !== userId || isExpired(row)) throw tokenInvalid();
    if (row.isBlocked) throw userBlocked();
    return row;
  };
};
