import type { Knex } from 'knex';
import { createIndexConcurrently } from '../src/online-schema-change.ts';

export const config = { transaction: false };

/**
 * Replaces the indexes of an actor's records and of those about something by some with the action. The log of an
 * account that was guessed at has 100,000 failed sign-ins, and one change among them is found by the index alone.
 */
export const up = async (db: Knex): Promise<void> => {
  await createIndexConcurrently(
    db,
    'audit_records_by_actor_with_action',
    'audit_records (actor_id, created_at desc, id desc) include (action)',
  );
  await createIndexConcurrently(
    db,
    'audit_records_by_target_with_action',
    'audit_records (target_id, created_at desc, id desc) include (action)',
  );
  await db.raw('drop index concurrently if exists audit_records_by_actor');
  await db.raw('drop index concurrently if exists audit_records_by_target');
};
