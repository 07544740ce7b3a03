import { queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import { backOffice } from './back-office.ts';

/** The last 14 days with today, and the 14 before them. */
const DAYS = 27;
const MINUTE = 60_000;

const readStatistics = (since: string | undefined, signal: AbortSignal) =>
  backOffice.GET('/administrator/statistics', {
    params: { query: { days: DAYS, ...(since !== undefined && { since }) } },
    signal,
  });

/** Of the days, of what waits, and of what came `since` then. At most a minute old, as the platform's answer. */
export const statistics = (since?: string) =>
  queryOptions({
    queryKey: ['statistics', since],
    queryFn: ({ signal }) => readStatistics(since, signal),
    refetchInterval: MINUTE,
  });

export type Statistics = Awaited<ReturnType<typeof readStatistics>>;
export type Waiting = Statistics['waiting'];

/** How much waits, for the side bar; undefined until it is known. */
export const useWaiting = (isAdmin: boolean): Waiting | undefined =>
  useQuery(isAdmin ? statistics() : { queryKey: ['statistics'], queryFn: skipToken }).data?.waiting;
