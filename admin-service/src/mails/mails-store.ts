import { type Database, query } from '@platform/shared/db/database';
import type { CodeHolder } from '@platform/shared/platform/mail/stored-code';
import { toNameOf } from '../lists/user-name-scripts.ts';
import type { MailState, OutboxMail } from './mail.ts';

// A mail of another service has no address, because the user's may change until it is sent.
const COLUMNS = `id, mail ->> 'template' as template, mail ->> 'service' as service,
  coalesce(mail ->> 'to', (select email from users where users.id = mail_outbox.user_id), '') as address, user_id, created_at, failed_at, failure,
  attempts, (mail ->> 'expiresAt')::timestamptz as expires_at`;
const CONDITIONS = { waiting: 'failed_at is null', failed: 'failed_at is not null' };

// Each state has an index in list order.
const toNewest = (state: MailState): string =>
  `(select ${COLUMNS} from mail_outbox where ${CONDITIONS[state]} order by created_at desc, id desc limit $1)`;
const NEWEST = {
  waiting: toNewest('waiting'),
  failed: toNewest('failed'),
  all: `select * from (${toNewest('waiting')} union all ${toNewest('failed')}) newest
    order by created_at desc, id desc limit $1`,
};

/** Reads and changes the outbox. Only the worker and the features that cause mails insert rows. */
export const createMailStore = (database: Database) => ({
  /** The newest first. */
  listNewest: async (state: MailState | undefined, limit: number): Promise<OutboxMail[]> => {
    const rows = state ?? 'all';
    const statement = { name: `mails-newest-${rows}`, text: NEWEST[rows], values: [limit] };
    return await query<OutboxMail>(database, statement);
  },

  /** The ids of which the outbox has a mail. */
  selectKnown: async (ids: readonly string[]): Promise<Set<string>> => {
    const text = 'select id from mail_outbox where id = any($1::uuid[])';
    const rows = await query<{ id: string }>(database, { name: 'mails-known', text, values: [ids] });
    return new Set(rows.map(({ id }) => id));
  },

  /** Returns the users who are not deleted, by id. */
  findUsers: async (ids: readonly string[]): Promise<Map<string, { id: string; name: string | null }>> => {
    const text = `select id, ${toNameOf('users.id')} as name from users where id = any($1::uuid[]) and deleted_at is null`;
    const statement = { name: 'users-of-mails', text, values: [ids] };
    const users = await query<{ id: string; name: string | null }>(database, statement);
    return new Map(users.map((user) => [user.id, user]));
  },

  /** Until the transaction ends, the worker neither claims nor deletes the mail. */
  lock: async (id: string): Promise<OutboxMail | undefined> =>
    await database('mail_outbox').where({ id }).forUpdate().first(database.raw(COLUMNS)),

  /** Whether nothing has ended the code since it was mailed, such as a new password or a proof. */
  isUnchanged: async ({ id, factorVersion, isEmailVerified }: CodeHolder): Promise<boolean> => {
    const user = database('users').where({ id, deletedAt: null });
    if (factorVersion !== undefined) user.where({ factorVersion });
    if (isEmailVerified !== undefined) user.where({ isEmailVerified });
    return (await user.first('id')) !== undefined;
  },

  hasAccount: async (email: string): Promise<boolean> =>
    (await database('users').where({ email, deletedAt: null }).first('id')) !== undefined,

  /** The worker queues the mail again. */
  release: async (id: string): Promise<void> => {
    const change = { enqueuedAt: null, failedAt: null, failure: null, attempts: 0 };
    await database('mail_outbox').where({ id }).update(change);
  },

  remove: async (id: string): Promise<void> => {
    await database('mail_outbox').where({ id }).delete();
  },
});

export type MailStore = ReturnType<typeof createMailStore>;
