import type { Records } from '@platform/shared/testing/records';

/** Inserts three records at each time. The user is the actor, the target, or both. */
export const insertAuditHistory = (
  records: Pick<Records, 'query'>,
  userId: string,
  count: number,
): Promise<unknown> =>
  records.query(
    `insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details, created_at)
     select 'PROFILE_CHANGED', case when number % 3 > 0 then $1::uuid end, 'USER',
       case when number % 3 < 2 then $1::text else gen_random_uuid()::text end, 'r', '198.51.100.1',
       jsonb_build_object('number', number), timestamptz '2026-01-01' + number / 3 * interval '1 s'
     from generate_series(1, $2::int) number`,
    [userId, count],
  );
