import { queryOptions } from '@tanstack/react-query';
import { backOffice } from '../back-office.ts';

const readInvitations = (signal: AbortSignal) => backOffice.GET('/administrator/invitations', { signal });

export type Invitation = Awaited<ReturnType<typeof readInvitations>>['data'][number];

export const invitationList = () =>
  queryOptions({
    queryKey: ['invitations'],
    queryFn: ({ signal }) => readInvitations(signal),
  });

export const INVITED_ROLES = ['OPERATOR', 'ARBITER', 'ADMIN'] as const;

type NewInvitation = { email: string; role: (typeof INVITED_ROLES)[number]; language: 'en' | 'de' };

export const invite = (body: NewInvitation) => backOffice.POST('/administrator/invitations', { body });

export const withdrawInvitation = (id: string) =>
  backOffice.DELETE('/administrator/invitations/{id}', { params: { path: { id } } });

/** What an invitation or its withdrawal changes. */
export const INVITATION_CHANGE = { invalidates: [['invitations'], ['audit-log']] } as const;

/** All of them: no platform has more than a page. */
export const colleagueList = () =>
  queryOptions({
    queryKey: ['users', 'colleagues'],
    queryFn: ({ signal }) =>
      backOffice.GET('/users', { params: { query: { hasPlatformRole: true, perPage: 100 } }, signal }),
  });
