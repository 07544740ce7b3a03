import { type Database, query } from '@platform/shared/db/database';
import type { EmployeeCard } from './employee.ts';

// An id that is repeated counts once. A deleted user has no address.
const BY_IDS = `
  select e.id as employee_id, e.user_id, u.email, e.first_name, e.last_name, e.phone, u.is_blocked, u.is_email_verified,
    coalesce((
      select json_agg(json_build_object('id', t.id, 'name', t.name, 'role', m.role, 'status', m.status)
        order by m.created_at, t.id)
      from team_members m join teams t on t.id = m.team_id where m.employee_id = e.id
    ), '[]') as teams
  from (
    select id, min(position) as position from unnest($1::uuid[]) with ordinality as asked (id, position) group by id
  ) asked
  join employee_profiles e on e.id = asked.id
  join users u on u.id = e.user_id and u.deleted_at is null
  order by asked.position`;

export const createEmployeeStore = (database: Database) => ({
  /** Returns the employees in the order of the ids, without unknown and deleted ones. */
  listByIds: (ids: readonly string[]): Promise<EmployeeCard[]> =>
    query<EmployeeCard>(database, { name: 'employees-by-ids', text: BY_IDS, values: [ids] }),
});

export type EmployeeStore = ReturnType<typeof createEmployeeStore>;
