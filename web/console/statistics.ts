import type { AdministratorUser } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ResponseOf, read } from './read.ts';
import { readLastVisit } from './visit.ts';

/** The last 14 days with today, and the 14 before them. */
const DAYS = 27;

/**
 * The counts of the days, of what waits and of what came `since` then; at most a minute old, like the platform's
 * answer.
 */
const statistics = (since?: string) => ({
  ...read(['overview', 'statistics', since], '/administrator/statistics', { query: { days: DAYS, since } }),
  meta: { pollMilliseconds: 60_000 },
});

export type Statistics = ResponseOf<'/administrator/statistics'>;
export type Waiting = Statistics['waiting'];

/** The side bar and the overview share one request. */
export const useStatistics = (userId: string, enabled = true) => {
  const [since] = useState(() => readLastVisit(userId));
  return { query: useQuery({ ...statistics(since), enabled }), since };
};

/** How much waits, for the side bar; undefined until it is known, and for other roles. */
export const useWaiting = ({ id, platformRole }: AdministratorUser): Waiting | undefined =>
  useStatistics(id, platformRole === 'ADMIN').query.data?.waiting;
