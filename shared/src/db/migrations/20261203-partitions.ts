import type { Knex } from 'knex';
import { createIndexConcurrently, runWithShortLock } from '../online-schema-change.ts';

/** Indexes are built concurrently, and each exclusive lock is taken in a separate short transaction. */
export const config = { transaction: false };

type PartitionedTable = {
  name: string;
  id: string;
  time: string;
  /** Columns by the suffix of the index. */
  indexes: Record<string, string>;
  /** What only this table needs before its initial partition is attached. */
  extra: string;
};

const AUDIT_TRIGGERS = {
  count_new_audit_records: 'after insert on audit_records referencing new table as changed',
  count_removed_audit_records: 'after delete on audit_records referencing old table as changed',
  forget_audit_records: 'after truncate on audit_records',
};

const AUDIT_RECORDS: PartitionedTable = {
  name: 'audit_records',
  id: 'id',
  time: 'created_at',
  indexes: {
    newest: 'created_at desc, id desc',
    by_actor: 'actor_id, created_at desc, id desc',
    by_action: 'action, created_at desc, id desc',
    by_target: 'target_id, created_at desc, id desc',
  },
  // Statements on the parent fire only its own triggers.
  extra: Object.entries(AUDIT_TRIGGERS)
    .map(
      ([name, event]) => `
        drop trigger ${name} on audit_records_initial;
        create trigger ${name} ${event} for each statement execute function ${name}();`,
    )
    .join('\n'),
};

/**
 * Without the foreign key to token_records: creating or dropping a partition would lock token_records, and deleting a token
 * record would search each partition. A token without its record is never found, and expires with its partition.
 */
const SUPERSEDED_TOKENS: PartitionedTable = {
  name: 'superseded_refresh_tokens',
  id: 'refresh_token_id',
  time: 'superseded_at',
  indexes: { expired_at: 'expired_at' },
  extra: `
    alter table superseded_refresh_tokens_initial drop constraint superseded_refresh_tokens_token_id_fkey;
    drop index superseded_refresh_tokens_token_id;`,
};

const TABLES = [AUDIT_RECORDS, SUPERSEDED_TOKENS];

/** Moves the privileges of one table to another, in the transaction of the swap: processes use it at once. */
const movePrivileges = (from: string, to: string): string => `
  do $$
    declare
      item record;
    begin
      for item in
        select case grantee when 0 then 'public' else grantee::regrole::text end as grantee,
          privilege_type || coalesce(' (' || quote_ident(attname) || ')', '') as privilege
        from (
          select a.grantee, a.privilege_type, null as attname from pg_class c, aclexplode(c.relacl) a
            where c.oid = '${from}'::regclass and a.grantee <> c.relowner
          union all
          select a.grantee, a.privilege_type, t.attname from pg_attribute t, aclexplode(t.attacl) a
            where t.attrelid = '${from}'::regclass
        ) granted
      loop
        execute format('grant %s on ${to} to %s', item.privilege, item.grantee);
        execute format('revoke %s on ${from} from %s', item.privilege, item.grantee);
      end loop;
    end
  $$;`;

const renameIndexes = ({ name, indexes }: PartitionedTable, from: string, to: string): string =>
  Object.keys(indexes)
    .map((suffix) => `alter index ${name}${from}_${suffix} rename to ${name}${to}_${suffix};`)
    .join('\n');

const createIndexes = ({ name, indexes }: PartitionedTable): string =>
  Object.entries(indexes)
    .map(([suffix, columns]) => `create index ${name}_${suffix} on ${name} (${columns});`)
    .join('\n');

/** The table becomes the first partition of a new one with its name. No statement here reads its rows. */
const swap = (table: PartitionedTable): string => {
  const { name, id, time, extra } = table;
  const initial = `${name}_initial`;
  return `
    lock table ${name} in access exclusive mode;
    alter table ${name} rename to ${initial};
    ${renameIndexes(table, '', '_initial')}
    alter table ${initial} drop constraint ${name}_pkey, add constraint ${initial}_pkey primary key using index ${initial}_key;
    create table ${name} (like ${initial} including defaults including comments) partition by range (${time});
    alter table ${name} add primary key (${id}, ${time});
    ${createIndexes(table)}
    ${extra}
    alter table ${name} attach partition ${initial} for values from (minvalue) to (maxvalue);
    ${movePrivileges(initial, name)}`;
};

const isPartitioned = async (db: Knex, name: string): Promise<boolean> => {
  const { rows } = await db.raw("select relkind = 'p' as yes from pg_class where oid = ?::regclass", [name]);
  return rows[0].yes;
};

/**
 * Each step is repeatable, so that an interrupted migration continues where it ended. `npm run migrate` then creates
 * partitions ahead of time.
 */
export const up = async (db: Knex): Promise<void> => {
  for (const table of TABLES) {
    const { name, id, time } = table;
    if (await isPartitioned(db, name)) continue;
    await createIndexConcurrently(db, `${name}_initial_key`, `${name} (${id}, ${time})`, 'unique index');
    await runWithShortLock(db, swap(table));
  }
};

/** Copies the rows to a plain table; writes wait meanwhile. */
const revert = ({ name, ...table }: PartitionedTable, before: string, after: string): string => `
  lock table ${name} in access exclusive mode;
  alter table ${name} rename to ${name}_partitioned;
  alter table ${name}_partitioned rename constraint ${name}_pkey to ${name}_partitioned_pkey;
  ${renameIndexes({ name, ...table }, '', '_partitioned')}
  create table ${name} (like ${name}_partitioned including defaults including comments);
  ${before}
  insert into ${name} select * from ${name}_partitioned;
  alter table ${name} add primary key (${table.id});
  ${createIndexes({ name, ...table })}
  ${movePrivileges(`${name}_partitioned`, name)}
  drop table ${name}_partitioned;
  ${after}`;

const DELETE_ORPHANS = `
  delete from superseded_refresh_tokens_partitioned where token_id not in (select id from token_records);`;
const RESTORE_FOREIGN_KEY = `
  alter table superseded_refresh_tokens add foreign key (token_id) references token_records on delete cascade;
  create index superseded_refresh_tokens_token_id on superseded_refresh_tokens (token_id);`;
const RESTORE_TRIGGERS = Object.entries(AUDIT_TRIGGERS)
  .map(([name, event]) => `create trigger ${name} ${event} for each statement execute function ${name}();`)
  .join('\n');

export const down = async (db: Knex): Promise<void> => {
  await runWithShortLock(db, revert(AUDIT_RECORDS, '', RESTORE_TRIGGERS));
  await runWithShortLock(db, revert(SUPERSEDED_TOKENS, DELETE_ORPHANS, RESTORE_FOREIGN_KEY));
};
