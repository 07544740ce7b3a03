import type { Database } from '@platform/shared/db/database';
import { queryBuilder } from '@platform/shared/db/query-builder';
import type { Knex } from 'knex';
import type { Page, Paged } from '../page.ts';
import { fetchPage } from '../paged-rows.ts';
import type { AuditEntry, AuditFilter } from './audit-entry.ts';

const COLUMNS =
  'a.id, a.action, a.actor_id, a.target_type, a.target_id, a.request_id, a.address, a.details, a.created_at';

const filterEntries =
  ({ actorId, action, targetId, from, until }: AuditFilter) =>
  (entries: Knex.QueryBuilder): Knex.QueryBuilder => {
    if (actorId) entries.where('a.actor_id', actorId);
    if (action) entries.where('a.action', action);
    if (targetId) entries.where('a.target_id', targetId);
    if (from) entries.where('a.created_at', '>=', from);
    if (until) entries.where('a.created_at', '<', until);
    return entries;
  };

export const createAuditLogStore = (database: Database) => ({
  list: (filter: AuditFilter, page: Page): Promise<Paged<AuditEntry>> =>
    fetchPage(
      database,
      {
        table: 'audit_records',
        as: 'a',
        filter: filterEntries(filter),
        isSorted: false,
        select: (entries) => entries.select(queryBuilder.raw(COLUMNS)),
      },
      page,
    ),
});

export type AuditLogStore = ReturnType<typeof createAuditLogStore>;
