import { LOCK_SUBJECT } from '@platform/shared/db/advisory-locks';
import { type Database, query } from '@platform/shared/db/database';
import { type Subject, type SubjectKind, toLockOrder } from './backfill.ts';

const toSelect = (table: string, condition: string): string => `
  select id, created_at from ${table} where ${condition} and (created_at, id) > ($1::timestamptz, $2::uuid)
  order by created_at, id limit $3`;

/** The subjects after ($1, $2), at most $3. */
const SUBJECTS: Readonly<Record<SubjectKind, string>> = {
  user: toSelect('users', 'deleted_at is null'),
  team: toSelect('teams', 'true'),
  // Two selects, because deleted projects have a separate index.
  project: `(${toSelect('projects', 'deleted_at is null')}) union all (${toSelect('projects', 'deleted_by is not null')})`,
};

const toPage = (kind: SubjectKind): string => `
  select '${kind}' as kind, id, created_at, created_at::text as created_at_text,
    exists (select from events where subject = s.id and type = '${kind}.created') as has_event
  from (${SUBJECTS[kind]}) s order by created_at, id limit $3`;

const USERS = `
  select u.created_at, 'user' as kind, 'user.created' as type, u.id as subject, u.created_at as occurred_at,
    jsonb_build_object('isEmailVerified', u.is_email_verified, 'kind', case
      when exists (select from user_roles where user_id = u.id and role = 'CUSTOMER') then 'customer'
      when exists (select from user_roles where user_id = u.id and role = 'EMPLOYEE') then 'employee'
      else 'administrator' end) as data
  from users u where u.id = any($1) and u.deleted_at is null`;
const TEAMS = `
  select t.created_at, 'team', 'team.created', t.id, t.created_at,
    jsonb_build_object('employeeId', a.employee_id, 'userId', a.user_id)
  from teams t left join lateral (
    select m.employee_id, e.user_id from team_members m join employee_profiles e on e.id = m.employee_id
    join users u on u.id = e.user_id and u.deleted_at is null
    where m.team_id = t.id and m.role = 'ADMINISTRATOR' and m.status = 'ACTIVE'
    order by m.created_at, m.employee_id limit 1
  ) a on true
  where t.id = any($1)`;
const PROJECTS = `
  select p.created_at, 'project', 'project.created', p.id, p.created_at,
    jsonb_build_object('ownerId', (select id from users where id = p.owner_id and deleted_at is null), 'status', p.status, 'contractingStage', p.contracting_stage)
  from projects p where p.id = any($1)`;
const DELETED_PROJECTS = `
  select p.created_at, 'project', 'project.deleted', p.id, p.deleted_at, '{}'
  from projects p where p.id = any($1) and p.deleted_at is not null`;

/**
 * Locks the users whom the events name. The deletion of an account waits for these locks, so that no event
 * names somebody after the event of the deletion. The deletion, too, locks users first.
 */
const LOCK_PEOPLE = `
  select count(*) from (
    select from users where id in (
      select owner_id from projects where id = any($1)
      union select e.user_id from team_members m join employee_profiles e on e.id = m.employee_id
        where m.team_id = any($1)
      union select unnest($1)
    ) order by id for share
  ) locked`;

/**
 * Inserts the events in the order of creation, unless the subject has got one meanwhile. The id is a UUID of
 * version 8 that is derived from type and subject, so that a reader recognises a repeated event.
 */
const INSERT = `
  insert into events (event_id, type, subject, data, occurred_at)
  select overlay(overlay(md5(type || subject) placing '8' from 13) placing '8' from 17)::uuid,
    type, subject, data, occurred_at
  from (${USERS} union all ${TEAMS} union all ${PROJECTS} union all ${DELETED_PROJECTS}) e
  where not exists (
    select from events k where k.subject = e.subject and k.type in ('user.created', 'project.created', 'team.created')
  )
  order by created_at, array_position(array['user', 'team', 'project'], kind), type
  returning type`;

export const createBackfillStore = (database: Database) => ({
  /** The next subjects of the kind in the order of creation. */
  findPage: (kind: SubjectKind, after: Subject | undefined, limit: number): Promise<Subject[]> =>
    query<Subject>(database, {
      name: `backfill-${kind}s`,
      text: toPage(kind),
      values: [
        after?.createdAtText ?? '-infinity',
        after?.id ?? '00000000-0000-0000-0000-000000000000',
        limit,
      ],
    }),

  /**
   * Inserts the events of subjects without one; returns their types. Separate statements take the locks, so
   * that the last statement sees every change with an earlier event.
   */
  insert: async (subjects: readonly Subject[]): Promise<string[]> => {
    const values = [subjects.map(({ id }) => id)];
    await query(database, { name: 'backfill-lock-people', text: LOCK_PEOPLE, values });
    const locks = `select count(${LOCK_SUBJECT}) from unnest($1::text[]) subject`;
    await query(database, { name: 'backfill-lock', text: locks, values: [toLockOrder(subjects)] });
    const rows = await query<{ type: string }>(database, { name: 'backfill-insert', text: INSERT, values });
    return rows.map(({ type }) => type);
  },
});

export type BackfillStore = ReturnType<typeof createBackfillStore>;
