import { type AccountRow, profileJoin, toAccount } from '../accounts/account-mapper.ts';
import type { Kind } from '../kinds.ts';
import type { AuthCaller } from './session.ts';

export type SessionRow = {
  sessionId: string;
  fingerprint: string;
  ip: string;
  sessionCreatedAt: Date;
  sessionUpdatedAt: Date;
  tokenId: string;
  signedInAt: Date;
};

/** From `token_records t` and what SIGNED_IN_JOINS adds to it; toSignedIn reads them. */
export const SESSION_COLUMNS = `
  t.id as token_id, t.created_at as signed_in_at, s.id as session_id, s.fingerprint, s.ip,
  s.created_at as session_created_at, s.updated_at as session_updated_at`;

export const CALLER_JOINS = (kind: Kind) => `
  join users u on u.id = t.user_id
  join sessions s on s.token_id = t.id
  ${profileJoin(kind)}`;

export const toCaller = (kind: Kind, row: AccountRow & SessionRow): AuthCaller => ({
  kind,
  account: toAccount(row),
  session: {
    id: row.sessionId,
    userId: row.userId,
    fingerprint: row.fingerprint,
    ip: row.ip,
    createdAt: row.sessionCreatedAt,
    updatedAt: row.sessionUpdatedAt,
  },
  tokenId: row.tokenId,
  signedInAt: row.signedInAt,
});
