import { type Database, query } from '@platform/shared/db/database';

export type OutboxRow = {
  id: string;
  mail: unknown;
  requestId: string;
  traceparent: string | null;
  createdAt: Date;
  wasEnqueued: boolean;
};

/** The number of pending and failed mails, and the age of the oldest pending one. */
type OutboxBacklog = { waiting: number; failed: number; oldestSeconds: number };

/** A mail that is still in the outbox after this time is relayed again, in case the queue lost it. */
const RELAY_AGAIN_SECONDS = 30;

// Skips rows that another worker has claimed, so that workers relay concurrently.
const CLAIM = `
  with due as (
    select id, enqueued_at is not null as was_enqueued from mail_outbox
    where failed_at is null and (enqueued_at is null or enqueued_at < now() - make_interval(secs => $1))
    order by created_at limit $2 for update skip locked
  )
  update mail_outbox o set enqueued_at = now() from due where o.id = due.id
  returning o.id, o.mail, o.request_id, o.traceparent, o.created_at, due.was_enqueued`;

const BACKLOG = `
  select count(*) filter (where failed_at is null)::int as waiting, count(failed_at)::int as failed,
    coalesce(extract(epoch from now() - min(created_at) filter (where failed_at is null)), 0)::float8 as oldest_seconds
  from mail_outbox`;

export const createOutboxStore = (database: Database) => ({
  /** Claims mails that are not in the queue or may have been lost from it. */
  claim: (limit: number): Promise<OutboxRow[]> =>
    query<OutboxRow>(database, { name: 'outbox-claim', text: CLAIM, values: [RELAY_AGAIN_SECONDS, limit] }),

  readBacklog: async (): Promise<OutboxBacklog> => {
    const [backlog] = await query<OutboxBacklog>(database, {
      name: 'outbox-backlog',
      text: BACKLOG,
      values: [],
    });
    return backlog ?? { waiting: 0, failed: 0, oldestSeconds: 0 };
  },

  /** Releases claimed mails that could not be enqueued. */
  release: async (ids: string[]): Promise<void> => {
    await query(database, {
      name: 'outbox-release',
      text: 'update mail_outbox set enqueued_at = null where id = any($1)',
      values: [ids],
    });
  },

  /** False when the mail was sent. */
  isPending: async (id: string): Promise<boolean> => {
    const rows = await query(database, {
      name: 'outbox-is-waiting',
      text: 'select 1 from mail_outbox where id = $1',
      values: [id],
    });
    return rows.length > 0;
  },

  /** Removes a sent mail. */
  remove: async (id: string): Promise<void> => {
    await query(database, {
      name: 'outbox-remove',
      text: 'delete from mail_outbox where id = $1',
      values: [id],
    });
  },

  /** Ends the attempts; the row stays for operators. */
  markFailed: async (id: string, failure: string): Promise<void> => {
    await query(database, {
      name: 'outbox-mark-failed',
      text: 'update mail_outbox set failed_at = now(), failure = $2 where id = $1',
      values: [id, failure],
    });
  },
});

export type OutboxStore = ReturnType<typeof createOutboxStore>;
