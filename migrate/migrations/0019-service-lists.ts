import type { Knex } from 'knex';
import { createIndexConcurrently } from '../src/online-schema-change.ts';

export const config = { transaction: false };

/** For the lists of other services, in the order of the ids, with each of their filters. */
export const up = async (db: Knex): Promise<void> => {
  await createIndexConcurrently(db, 'projects_by_owner', 'projects (owner_id, id)');
  await createIndexConcurrently(db, 'projects_by_status', 'projects (status, id)');
  await createIndexConcurrently(db, 'teams_by_status', 'teams (status, id)');
  await createIndexConcurrently(db, 'team_members_by_employee', 'team_members (employee_id, team_id)');
  // The new indexes begin with these columns.
  await db.raw('drop index concurrently if exists projects_owner_id');
  await db.raw('drop index concurrently if exists team_members_employee_id');
};
