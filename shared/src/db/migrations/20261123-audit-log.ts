import type { Knex } from 'knex';

export const up = (db: Knex): Promise<void> =>
  db.schema.raw(`
    create index audit_records_by_actor on audit_records (actor_id, created_at desc, id desc);
    create index audit_records_by_action on audit_records (action, created_at desc, id desc);
    create index audit_records_by_target on audit_records (target_id, created_at desc, id desc);
  `);

export const down = (db: Knex): Promise<void> =>
  db.schema.raw('drop index audit_records_by_actor, audit_records_by_action, audit_records_by_target;');
