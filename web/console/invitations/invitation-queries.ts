import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
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

export const useReloadInvitations = (): (() => Promise<void>) => {
  const queries = useQueryClient();
  return useCallback(async () => {
    void queries.invalidateQueries({ queryKey: ['audit-log'] });
    await queries.invalidateQueries({ queryKey: ['invitations'] });
  }, [queries]);
};
