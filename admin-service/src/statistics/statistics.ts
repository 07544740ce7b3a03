import { rejectQuery } from '../lists/id-pages.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
/** The largest number of whole days before today, and the largest age of `since` in days. */
export const MAX_DAYS = 90;

/** The counts of audit records of a day, or an hour, in UTC. */
export type Counts = { customers: number; employees: number; signIns: number; failedSignIns: number };
export type DayCounts = Counts & { day: string };

export type Waiting = { count: number; oldestAt: Date | null };
export type AllWaiting = { teams: Waiting; contactRequests: Waiting; failedMails: Waiting };

export type CountsSince = {
  signUps: number;
  contactRequests: number;
  newTeams: number;
  blocked: number;
  failedMails: number;
  acceptedInvitations: number;
};

export type Statistics = { days: DayCounts[]; waiting: AllWaiting; since?: CountsSince };

export const startOfHour = (time: number): Date => new Date(time - (time % HOUR));
export const startOfDay = (time: number): number => time - (time % DAY);

/** A day without a record has zeros. */
export const fillDays = (found: readonly DayCounts[], first: number, last: number): DayCounts[] => {
  const byDay = new Map(found.map((counts) => [counts.day, counts]));
  return Array.from({ length: (last - first) / DAY + 1 }, (_, index) => {
    const day = new Date(first + index * DAY).toISOString().slice(0, 10);
    return byDay.get(day) ?? { day, customers: 0, employees: 0, signIns: 0, failedSignIns: 0 };
  });
};

/** @throws AppError 400 */
export const requireRecent = (since: Date, now: number): void => {
  if (since.getTime() < now - MAX_DAYS * DAY)
    throw rejectQuery('since', `must be within the last ${MAX_DAYS} days`, 'recent');
};

/** Adds failures that are only in the queue to the failed mails of the outbox. */
export const addFailures = ({ count, oldestAt }: Waiting, failures: readonly Date[]): Waiting => ({
  count: count + failures.length,
  oldestAt: [oldestAt, ...failures].reduce(
    (oldest, at) => (oldest === null || (at !== null && at < oldest) ? at : oldest),
    null,
  ),
});
