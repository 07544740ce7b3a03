import type { Read } from '../lists/lists.ts';
import type { AllWaiting, CountsSince, DayCounts } from './statistics.ts';

const isRole = (role: string): string => `details ->> 'role' = '${role}'`;
/** The column of each counted action. Each has an index entry in `audit_records_by_action`. */
const COUNTED = {
  customers: `action = 'ACCOUNT_REGISTERED' and ${isRole('CUSTOMER')}`,
  employees: `action = 'ACCOUNT_REGISTERED' and ${isRole('EMPLOYEE')}`,
  sign_ins: "action = 'SIGNED_IN'",
  failed_sign_ins: "action = 'SIGN_IN_FAILED'",
};
const COLUMNS = Object.keys(COUNTED);
const CONDITIONS = Object.entries(COUNTED);

/** $1: the first day, $2: the end of the counted hours, $3: from where the records themselves are counted. */
const countRecords = (column: string, condition: string): string => `
  select date_trunc('hour', created_at, 'UTC'), ${COLUMNS.map((each) => (each === column ? 'count(*)' : '0')).join(', ')}
  from audit_records where ${condition} and created_at >= $3 group by 1`;
const DAYS = `
  select to_char(hour at time zone 'UTC', 'YYYY-MM-DD') as day,
    ${COLUMNS.map((column) => `sum(${column})::int as ${column}`).join(', ')}
  from (
    select hour, ${COLUMNS.join(', ')} from hourly_counts where hour >= $1 and hour < $2
    ${CONDITIONS.map(([column, condition]) => `union all ${countRecords(column, condition)}`).join(' ')}
  ) counted group by 1`;

const waitingIn = (table: string, condition: string, since: string): string =>
  `(select json_build_object('count', count(*), 'oldestAt', min(${since})) from ${table} where ${condition})`;
const NOT_DONE = '(done_at is not null) = false';
const WAITING = `
  select ${waitingIn('teams', "status = 'ONBOARDING'", 'created_at')} as teams,
    ${waitingIn('lead_requests', NOT_DONE, 'created_at')} as leads,
    ${waitingIn('support_requests', NOT_DONE, 'created_at')} as support,
    ${waitingIn('mail_outbox', 'failed_at is not null', 'failed_at')} as failed_mails`;

const countSince = (table: string, column: string, condition = 'true'): string =>
  `(select count(*) from ${table} where ${condition} and ${column} >= $1)::int`;
const countAction = (action: string): string =>
  countSince('audit_records', 'created_at', `action = '${action}'`);
const IS_SIGN_UP = `action = 'ACCOUNT_REGISTERED' and (${isRole('CUSTOMER')} or ${isRole('EMPLOYEE')})`;
/** $2 to $3: the counted hours after `since`. $4: from where the records themselves are counted. */
const SIGN_UPS = `(
    (select count(*) from audit_records where ${IS_SIGN_UP} and created_at >= $1 and created_at < $2)
    + (select coalesce(sum(customers + employees), 0) from hourly_counts where hour >= $2 and hour < $3)
    + (select count(*) from audit_records where ${IS_SIGN_UP} and created_at >= $4)
  )::int`;
const SINCE = `
  select ${SIGN_UPS} as sign_ups,
    ${countSince('lead_requests', 'created_at')} + ${countSince('support_requests', 'created_at')} as contact_requests,
    ${countSince('teams', 'created_at')} as new_teams,
    ${countAction('USER_BLOCKED')} as blocked,
    ${countSince('mail_outbox', 'failed_at')} as failed_mails,
    ${countAction('INVITATION_ACCEPTED')} as accepted_invitations`;

type WaitingRow = { count: number; oldestAt: string | null };
type WaitingRows = Record<'teams' | 'leads' | 'support' | 'failedMails', WaitingRow>;

const later = (one: Date, other: Date): Date => (one > other ? one : other);

const toWaiting = (...rows: readonly WaitingRow[]) => {
  const oldest = rows.flatMap(({ oldestAt }) => (oldestAt === null ? [] : [new Date(oldestAt).getTime()]));
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    oldestAt: oldest.length === 0 ? null : new Date(Math.min(...oldest)),
  };
};

/** Not prepared, so that Postgres plans each statement for its times. */
export const createStatisticsList = (read: Read) => ({
  /** The end of the hours that are counted, or undefined before the first count. */
  findCountedUntil: async (): Promise<Date | undefined> => {
    const text = "select max(hour) + interval '1 hour' as until from hourly_counts";
    const [row] = await read<{ until: Date | null }>({ text, values: [] });
    return row?.until ?? undefined;
  },

  countDays: (from: Date, countedUntil: Date): Promise<DayCounts[]> =>
    read<DayCounts>({ text: DAYS, values: [from, countedUntil, later(from, countedUntil)] }),

  countWaiting: async (): Promise<AllWaiting> => {
    const [row] = await read<WaitingRows>({ text: WAITING, values: [] });
    if (!row) throw new Error('The row was not returned');
    const { teams, leads, support, failedMails } = row;
    return {
      teams: toWaiting(teams),
      contactRequests: toWaiting(leads, support),
      failedMails: toWaiting(failedMails),
    };
  },

  /** @param nextHour the first whole hour after `since` */
  countSince: async (since: Date, nextHour: Date, countedUntil: Date): Promise<CountsSince> => {
    const from = nextHour < countedUntil ? nextHour : countedUntil;
    const values = [since, from, countedUntil, later(since, countedUntil)];
    const [row] = await read<CountsSince>({ text: SINCE, values });
    if (!row) throw new Error('The row was not returned');
    return row;
  },
});

export type StatisticsList = ReturnType<typeof createStatisticsList>;
