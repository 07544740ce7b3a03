import { queryOptions } from '@tanstack/react-query';
import { backOffice } from '../back-office.ts';

const LATEST = 8;

/** The newest actions of people, for the first screen: sign-ins would push them out. */
export const latestRecords = () =>
  queryOptions({
    queryKey: ['audit-log', 'latest'],
    queryFn: ({ signal }) =>
      backOffice.GET('/administrator/audit-log', {
        params: { query: { hideSignIns: true, perPage: LATEST } },
        signal,
      }),
    meta: { pollMilliseconds: 60_000 },
  });

/** The records about one project or team. */
export const recordsOf = (targetId: string) =>
  queryOptions({
    queryKey: ['audit-log', 'target', targetId],
    queryFn: ({ signal }) =>
      backOffice.GET('/administrator/audit-log', { params: { query: { targetId, perPage: 5 } }, signal }),
  });

/** Who has verified a team, however much was recorded since. */
export const verificationOf = (targetId: string) =>
  queryOptions({
    queryKey: ['audit-log', 'verification', targetId],
    queryFn: ({ signal }) =>
      backOffice.GET('/administrator/audit-log', {
        params: { query: { targetId, action: ['TEAM_VERIFIED'], perPage: 1 } },
        signal,
      }),
    select: ({ data }) => data[0],
  });
