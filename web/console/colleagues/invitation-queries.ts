import { backOffice } from '../back-office.ts';
import type { PlatformRole } from '../records/user.ts';

type NewInvitation = { email: string; role: PlatformRole; language: 'en' | 'de' };

export const invite = (body: NewInvitation) => backOffice.POST('/administrator/invitations', { body });

export const withdrawInvitation = (id: string) =>
  backOffice.DELETE('/administrator/invitations/{id}', { params: { path: { id } } });

/** The queries to load again after an invitation or its withdrawal. */
export const INVITATION_CHANGE = { invalidates: [['invitations'], ['audit-log']] } as const;
