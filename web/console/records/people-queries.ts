import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { backOffice } from '../back-office.ts';

export const userDetail = (id: string) =>
  queryOptions({
    queryKey: ['users', id, 'detail'],
    queryFn: ({ signal }) => backOffice.GET('/users/{id}', { params: { path: { id } }, signal }),
  });

/** People whose name or address has this text. */
export const peopleNamed = (q: string) =>
  queryOptions({
    queryKey: ['users', 'named', q],
    queryFn: ({ signal }) => backOffice.GET('/users', { params: { query: { q, perPage: 8 } }, signal }),
    enabled: q.length > 1,
    placeholderData: keepPreviousData,
  });

/** All colleagues: no platform has more than a page. */
export const colleagueList = () =>
  queryOptions({
    queryKey: ['users', 'colleagues'],
    queryFn: ({ signal }) =>
      backOffice.GET('/users', { params: { query: { hasPlatformRole: true, perPage: 100 } }, signal }),
  });

const readInvitations = (signal: AbortSignal) => backOffice.GET('/administrator/invitations', { signal });

export type Invitation = Awaited<ReturnType<typeof readInvitations>>['data'][number];

export const invitationList = () =>
  queryOptions({
    queryKey: ['invitations'],
    queryFn: ({ signal }) => readInvitations(signal),
  });
