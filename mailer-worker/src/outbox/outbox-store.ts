import { type Database, query } from '@platform/shared/db/database';

export type OutboxRow = {
  id: string;
  mail: unknown;
  requestId: string;
  userId: string | null;
  traceparent: string | null;
  createdAt: Date;
};

/** Only contact forms have this field. */
const CONDITIONS = { notices: `mail -> 'request' is null`, forms: `mail -> 'request' is not null` };

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

const OLDEST = `
  select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as seconds
  from mail_outbox where failed_at is null`;

export const createOutboxStore = (database: Database) => {
  const row = (id: string) => database('mail_outbox').where({ id });

  return {
    claim: async (rows: 'notices' | 'forms', limit: number): Promise<OutboxRow[]> => {
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

    remove: async (id: string): Promise<void> => {
      await row(id).delete();
    },

    /** Ends the attempts; the row is kept for operators. */
    markFailed: async (id: string, failure: string, attempts: number): Promise<void> => {
      await row(id).update({ failedAt: database.fn.now(), failure, attempts });
    },
  };
};

export type OutboxStore = ReturnType<typeof createOutboxStore>;
