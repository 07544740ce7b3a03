import type { SeedStatement } from './bulk-load.ts';
import { byAge, numberedRows } from './seed-sql.ts';

/** Actors and targets of the skewed records, by their distribution. */
export const AUDIT_IDS = {
  frequent: '00000000-0000-4000-8000-000000000001',
  oldest: '00000000-0000-4000-8000-000000000002',
  newest: '00000000-0000-4000-8000-000000000003',
};
/** The age of the oldest record: as long as the default retention, with a margin for the nightly cleanup. */
export const AUDIT_DAYS = 360;

/** One partition per month, as in a database that has been in use for a year: migrations create them only for the future. */
const PARTITIONS = `
  do $$
    declare
      partition record;
      bound timestamptz := date_trunc('month', now()) - interval '10 months';
    begin
      for partition in select inhrelid::regclass as name from pg_inherits where inhparent = 'audit_records'::regclass loop
        execute format('drop table %s', partition.name);
      end loop;
      execute format('create table audit_records_first partition of audit_records for values from (minvalue) to (%L)', bound);
      while bound < date_trunc('month', now()) + interval '2 months' loop
        execute format('create table %I partition of audit_records for values from (%L) to (%L)',
          'audit_records' || to_char(bound, '_YYYYMMDD'), bound, bound + interval '1 month');
        bound := bound + interval '1 month';
      end loop;
      execute format('create table %I partition of audit_records for values from (%L) to (maxvalue)',
        'audit_records' || to_char(bound, '_YYYYMMDD'), bound);
    end
  $$`;

const id = (name: keyof typeof AUDIT_IDS) => `'${AUDIT_IDS[name]}'::uuid`;

/** Three of ten records have the same id, three have none, the others that of a random user. */
const someId = (purpose: string, none: string): string =>
  byAge({
    oldest: id('oldest'),
    newest: id('newest'),
    otherwise: `case pick(n, '${purpose} kind', 10) / 3 when 0 then ${id('frequent')} when 1 then ${none}
      else md5('user' || (1 + pick(n, '${purpose}', $2::int)))::uuid end`,
  });

const ACTION = byAge({
  oldest: "'PROJECT_RESTORED'",
  newest: "'TOTP_ENABLED'",
  olderHalf:
    "choose(n, 'action', array['SIGN_IN_FAILED', 'PASSWORD_CHANGED', 'USER_BLOCKED', 'PROJECT_EDITED'])",
  otherwise: "choose(n, 'action', array['SIGN_IN_FAILED', 'PASSWORD_CHANGED', 'USER_BLOCKED'])",
});

const RECORDS = `
  insert into audit_records (id, action, actor_id, target_type, target_id, request_id, address, details, created_at)
  select md5('audit' || n)::uuid, ${ACTION}, ${someId('actor', 'null')}, 'USER',
    ${someId('target', "md5('project' || n)::uuid")}, 'request-' || n, '127.0.0.1', '{}',
    now() - (1 - share) * interval '${AUDIT_DAYS} days'
  from ${numberedRows('audit')}`;

export const AUDIT_TABLES = ['audit_records'];

export const seedAuditLog = (records: number, users: number): SeedStatement[] => [
  [PARTITIONS, []],
  [RECORDS, [records, users]],
];
