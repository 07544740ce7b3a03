import type { Knex } from 'knex';

/** Indexes for the cleanup job, which selects by age, and for the foreign keys to users. */
const INDEXES = `
  create index sessions_without_tokens on sessions (updated_at) where token_id is null;
  create index lead_requests_created_at on lead_requests (created_at);
  create index support_requests_created_at on support_requests (created_at);
  create index mail_outbox_failed_at on mail_outbox (failed_at) where failed_at is not null;
  create index projects_deleted_by on projects (deleted_by) where deleted_by is not null;`;

/**
 * The audit log's total by action, kept in the same way as those of 20261125-list-totals. There is no trigger for updates:
 * audit records are never changed.
 */
const AUDIT_TOTALS = `
  create table audit_totals (
    action text not null,
    slot int not null default pg_backend_pid() % 16,
    total int not null,
    primary key (action, slot)
  ) with (fillfactor = 50);`;

/** The lock stops concurrent writes, so that no record is missed between the count and the triggers. */
const COUNT_EXISTING = `
  lock table audit_records in share row exclusive mode;
  insert into audit_totals (action, slot, total) select action, 0, count(*) from audit_records group by 1;`;

const addingTotals = (sign: '' | '-') => `
  insert into audit_totals (action, total) select action, ${sign}count(*) from changed group by 1 order by 1
    on conflict (action, slot) do update set total = audit_totals.total + excluded.total;`;

const trigger = (name: string, event: string, body: string) => `
  create function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$;
  create trigger ${name} ${event} for each statement execute function ${name}();`;

const TRIGGERS = [
  trigger(
    'count_new_audit_records',
    'after insert on audit_records referencing new table as changed',
    addingTotals(''),
  ),
  trigger(
    'count_removed_audit_records',
    'after delete on audit_records referencing old table as changed',
    addingTotals('-'),
  ),
  trigger('forget_audit_records', 'after truncate on audit_records', 'delete from audit_totals;'),
];

export const up = (db: Knex): Promise<void> =>
  db.schema.raw([INDEXES, AUDIT_TOTALS, COUNT_EXISTING, ...TRIGGERS].join('\n'));

export const down = (db: Knex): Promise<void> =>
  db.schema.raw(`
    drop function count_new_audit_records, count_removed_audit_records, forget_audit_records cascade;
    drop table audit_totals;
    drop index sessions_without_tokens, lead_requests_created_at, support_requests_created_at, mail_outbox_failed_at,
      projects_deleted_by;
  `);
