import { backOffice } from '../back-office.ts';

export const INVITED_ROLES = ['OPERATOR', 'ARBITER', 'ADMIN'] as const;

type NewInvitation = { email: string; role: (typeof INVITED_ROLES)[number]; language: 'en' | 'de' };

export const invite = (body: NewInvitation) => backOffice.POST('/administrator/invitations', { body });

export const withdrawInvitation = (id: string) =>
  backOffice.DELETE('/administrator/invitations/{id}', { params: { path: { id } } });

/** What an invitation or its withdrawal changes. */
export const INVITATION_CHANGE = { invalidates: [['invitations'], ['audit-log']] } as const;
