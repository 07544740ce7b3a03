import type { Team } from '@platform/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { backOffice } from '../back-office.ts';
import { present } from '../query-fields.ts';

type ListQuery = {
  page: number;
  perPage: number;
  search: string | undefined;
  status: Team['status'] | undefined;
};

export const teamList = (query: ListQuery) =>
  queryOptions({
    queryKey: ['teams', 'list', query],
    queryFn: ({ signal }) =>
      backOffice.GET('/administrator/teams', { params: { query: present(query) }, signal }),
    select: ({ data, meta }) => ({ data, ...meta }),
    placeholderData: keepPreviousData,
  });

export const teamDetail = (teamId: string) =>
  queryOptions({
    queryKey: ['teams', teamId, 'detail'],
    queryFn: ({ signal }) =>
      backOffice.GET('/administrator/teams/{teamId}', { params: { path: { teamId } }, signal }),
  });

/** The API accepts this many ids at once. */
const MAX_IDS = 100;

/** The people behind the members. */
export const memberCards = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['teams', 'cards', ids],
    queryFn: ({ signal }) =>
      backOffice.GET('/administrator/employees', {
        params: { query: { id: ids.slice(0, MAX_IDS) } },
        signal,
      }),
    enabled: ids.length > 0,
  });

/** The queue loads this many teams at most. */
const QUEUE_SIZE = 100;

/** The teams that wait for their verification, those that have waited longest first. */
export const verificationQueue = () =>
  queryOptions({
    queryKey: ['teams', 'queue'],
    queryFn: async ({ signal }) => {
      const readPage = (page: number) => {
        const query = { status: 'ONBOARDING', page, perPage: QUEUE_SIZE } as const;
        return backOffice.GET('/administrator/teams', { params: { query }, signal });
      };
      const newest = await readPage(1);
      const { total } = newest.meta;
      const oldest = total > QUEUE_SIZE ? await readPage(Math.ceil(total / QUEUE_SIZE)) : newest;
      return { teams: [...oldest.data].reverse(), total };
    },
    meta: { pollMilliseconds: 60_000 },
  });

/** What a verification changes. */
export const TEAM_CHANGE = { invalidates: [['teams'], ['overview'], ['audit-log']] } as const;
