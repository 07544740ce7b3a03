import { type Database, query } from '@platform/shared/db/database';
import { toLanguage } from '@platform/shared/http/language';
import type { MailRecipient } from '@platform/shared/platform/mail/mail';

export type OutboxRow = {
  id: string;
  mail: unknown;
  requestId: string;
  userId: string | null;
  traceparent: string | null;
  createdAt: Date;
};

/** Only contact forms have a request, and only messages of other services have a service. */
const CONDITIONS = {
  notices: `mail -> 'request' is null and mail -> 'service' is null`,
  forms: `mail -> 'request' is not null`,
  messages: `mail -> 'service' is not null`,
};

// Skips rows that another worker has claimed, so that workers relay concurrently.
const toClaim = (condition: string): string => `
  with due as (
    select id from mail_outbox where failed_at is null and enqueued_at is null and ${condition}
    order by created_at limit $1 for update skip locked
  ), claimed as (
    update mail_outbox o set enqueued_at = now() from due where o.id = due.id
    returning o.id, o.mail, o.request_id, o.user_id, o.traceparent, o.created_at
  )
  select * from claimed order by created_at`;

/** Long enough to add a claimed mail to the queue. */
const ENQUEUED_SECONDS = 30;

const FIND_ENQUEUED = `
  select id from mail_outbox where failed_at is null and enqueued_at < now() - make_interval(secs => $1)`;

// Both counts are index-only scans.
const COUNT = `
  select (select count(*) from mail_outbox where failed_at is null)::int as waiting,
    (select count(*) from mail_outbox where failed_at is not null)::int as failed`;

// A mail that concerns no user is not recorded, and neither is that of a deleted account.
const REMOVE_SENT = `
  with removed as (
    delete from mail_outbox where id = $1
    returning id, user_id, mail ->> 'template' as template, mail ->> 'service' as service
  )
  insert into sent_mails (id, user_id, mail, service, recipient, state)
  select r.id, u.id, r.template, r.service, $2, 'sent' from removed r join users u on u.id = r.user_id
  where u.deleted_at is null`;

const OLDEST = `
  select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as seconds
  from mail_outbox where failed_at is null`;

export const createOutboxStore = (database: Database) => {
  const row = (id: string) => database('mail_outbox').where({ id });

  return {
    claim: async (rows: keyof typeof CONDITIONS, limit: number): Promise<OutboxRow[]> => {
      if (limit <= 0) return [];
      const text = toClaim(CONDITIONS[rows]);
      return await query(database, { name: `outbox-claim-${rows}`, text, values: [limit] });
    },

    /** The ids of mails that were claimed at least 30 s ago and so must be in the queue. */
    findEnqueued: async (): Promise<string[]> => {
      const statement = { name: 'outbox-find-enqueued', text: FIND_ENQUEUED, values: [ENQUEUED_SECONDS] };
      const rows = await query<{ id: string }>(database, statement);
      return rows.map(({ id }) => id);
    },

    countRows: async (): Promise<{ waiting: number; failed: number }> => {
      const statement = { name: 'outbox-count', text: COUNT, values: [] };
      const [counts] = await query<{ waiting: number; failed: number }>(database, statement);
      return counts ?? { waiting: 0, failed: 0 };
    },

    /** The age of the oldest pending mail in seconds; 0 if there is none. */
    getOldestAge: async (): Promise<number> => {
      const [oldest] = await query<{ seconds: number }>(database, {
        name: 'outbox-oldest',
        text: OLDEST,
        values: [],
      });
      return oldest?.seconds ?? 0;
    },

    release: async (ids: string[]): Promise<void> => {
      await database('mail_outbox').whereIn('id', ids).update({ enqueuedAt: null });
    },

    /** False if the mail was sent. */
    isPending: async (id: string): Promise<boolean> => (await row(id).first('id')) !== undefined,

    /** Deletes the row without recording a sent mail. */
    drop: async (id: string): Promise<void> => {
      await row(id).delete();
    },

    /** Deletes the mail with its text, and records that it was sent. */
    removeSent: async (id: string, recipient: string): Promise<void> => {
      await query(database, { name: 'outbox-remove-sent', text: REMOVE_SENT, values: [id, recipient] });
    },

    /** Undefined unless the user has a verified address. */
    findRecipient: async (userId: string): Promise<MailRecipient | undefined> => {
      const text = 'select email as "to", language from find_mail_recipient($1)';
      const statement = { name: 'mail-recipient', text, values: [userId] };
      const [recipient] = await query<{ to: string; language: string }>(database, statement);
      return recipient && { ...recipient, language: toLanguage(recipient.language) };
    },

    /** Ends the attempts. The row is kept for operators, unless the account is gone: then nobody needs the mail. */
    markFailed: async (id: string, failure: string, attempts: number): Promise<void> => {
      const gone = database('users')
        .select('id')
        .whereRaw("id = coalesce(user_id, (mail ->> 'userId')::uuid)")
        .whereNotNull('deletedAt');
      if ((await row(id).whereExists(gone).delete()) > 0) return;
      await row(id).update({ failedAt: database.fn.now(), failure, attempts });
    },
  };
};

export type OutboxStore = ReturnType<typeof createOutboxStore>;
