import type { Database } from '@platform/shared/db/database';
import type { Cipher } from '@platform/shared/encryption/cipher';
import {
  removePendingChange,
  toPendingChangeKey,
} from '@platform/shared/platform/accounts/pending-email-change';
import type { AuditPosition } from '@platform/shared/platform/audit/audit-position';
import { withRedisTimeout } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import { type AccountState, toStateDigest } from '../accounts/account-state.ts';
import { CODE_LIFETIME_SECONDS } from '../email-codes/email-code.ts';
import type { PendingEmailChange } from './own-account.ts';

/** The format of times in Postgres' JSON, with microseconds and an offset. */
const POSTGRES_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/;

const toIsoTime = (key: string, value: unknown): unknown =>
  /^at$|At$/.test(key) && typeof value === 'string' && POSTGRES_TIME.test(value)
    ? new Date(value).toISOString()
    : value;

/** `next` is the position of the last record, or null if there is no older one. */
type AuditExport = { records: object[]; next: AuditPosition | null };

/** `next` as above. */
type SignInHistory = { data: object[]; next: AuditPosition | null };

/** Before the newest record. */
const START: AuditPosition = { at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

export const createOwnAccountStore = (database: Database) => {
  /** Undefined if the user was deleted. */
  const exportFrom = async (id: string, call: string, values: readonly (string | number)[]) => {
    const users = database('users').where({ id }).whereNull('deletedAt');
    const row = await users.first(database.raw(`${call}::text as data`, values));
    return row && JSON.parse(row.data, toIsoTime);
  };

  return {
    /** Everything that is stored about the user, except the audit records: the schema AccountExport. */
    export: (id: string): Promise<{ user: object; secondFactor: object } | undefined> =>
      exportFrom(id, 'export_account(id)', []),

    /** The newest sign-ins and failed ones before the position: the schema SignInList, without its cursor. */
    listSignIns: async (
      id: string,
      size: number,
      { at, id: recordId } = START,
    ): Promise<SignInHistory | undefined> =>
      exportFrom(id, 'list_sign_ins(id, ?, ?, ?)', [at, recordId, size]),

    /** The newest audit records before the position. */
    exportAuditRecords: (id: string, { at, id: recordId } = START): Promise<AuditExport | undefined> =>
      exportFrom(id, 'export_audit_records(id, ?, ?)', [at, recordId]),
  };
};

export type OwnAccountStore = ReturnType<typeof createOwnAccountStore>;

/**
 * Stores requested changes of e-mails, one for each user, encrypted. Every method throws AppError 503 if
 * Redis is unavailable.
 */
export const createPendingChangeStore = (redis: RedisClient, cipher: Cipher) => ({
  /** Replaces an earlier change. */
  set: async (userId: string, newEmail: string, state: AccountState): Promise<void> => {
    const pending: PendingEmailChange = { newEmail, accountState: toStateDigest(state) };
    const sealed = cipher.encrypt(JSON.stringify(pending));
    await withRedisTimeout(redis.set(toPendingChangeKey(userId), sealed, { EX: CODE_LIFETIME_SECONDS }));
  },

  find: async (userId: string): Promise<PendingEmailChange | undefined> => {
    const sealed = await withRedisTimeout(redis.get(toPendingChangeKey(userId)));
    return sealed === null ? undefined : (JSON.parse(cipher.decrypt(sealed)) as PendingEmailChange);
  },

  /** The seconds until the change expires. */
  findSecondsLeft: async (userId: string): Promise<number> => {
    const milliseconds = await withRedisTimeout(redis.pTTL(toPendingChangeKey(userId)));
    return Math.ceil(Math.max(0, milliseconds) / 1_000);
  },

  /** Best effort: it expires anyway. */
  remove: (userId: string): Promise<void> => removePendingChange(redis, userId),
});

export type PendingChangeStore = ReturnType<typeof createPendingChangeStore>;
