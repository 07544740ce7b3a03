import { queryOptions } from '@tanstack/react-query';
import { get, type QueryOf, type ResponseOf, read, readPage } from '../read.ts';

const TEAMS = '/administrator/teams';

export const teamList = (query: QueryOf<typeof TEAMS>) => ({
  ...readPage(['teams', 'list', query], TEAMS, { query }),
  select: ({ data, meta }: ResponseOf<typeof TEAMS>) => ({ data, ...meta }),
});

export const teamDetail = (teamId: string) =>
  read(['teams', teamId, 'detail'], '/administrator/teams/{teamId}', { path: { teamId } });

/** The API accepts this many ids at once. */
const MAX_IDS = 100;

/** The people behind the members. */
export const memberCards = (ids: readonly string[]) => ({
  ...read(['teams', 'cards', ids], '/administrator/employees', { query: { id: ids.slice(0, MAX_IDS) } }),
  enabled: ids.length > 0,
});

/** The queue loads this many teams at most. */
const QUEUE_SIZE = 100;

/** The teams that wait for their verification, those that have waited longest first. */
export const verificationQueue = () =>
  queryOptions({
    queryKey: ['teams', 'queue'],
    queryFn: async ({ signal }) => {
      const readPage = (page: number) =>
        get(TEAMS, { query: { status: 'ONBOARDING', page, perPage: QUEUE_SIZE } }, signal);
      const newest = await readPage(1);
      const { total } = newest.meta;
      const oldest = total > QUEUE_SIZE ? await readPage(Math.ceil(total / QUEUE_SIZE)) : newest;
      return { teams: [...oldest.data].reverse(), total };
    },
    meta: { pollMilliseconds: 60_000 },
  });

/** The queries to load again after a verification. */
export const TEAM_CHANGE = { invalidates: [['teams'], ['overview'], ['audit-log']] } as const;
