import { notFound } from '@platform/shared/errors/app-error';
import type { PageQuery } from '../lists/lists.ts';
import type { UserReference } from '../lists/user-reference.ts';

export type ContactRequestKind = 'lead' | 'support';

/** A stored contact form. The fields of the other kind are null. */
export type ContactRequest = {
  id: string;
  kind: ContactRequestKind;
  name: string | null;
  email: string;
  phone: string | null;
  company: string | null;
  subject: string | null;
  message: string | null;
  createdAt: Date;
  doneAt: Date | null;
  doneBy: UserReference | null;
};

export type ContactRequestQuery = PageQuery & {
  kind?: ContactRequestKind | undefined;
  isDone?: boolean | undefined;
};

export const contactRequestNotFound = () =>
  notFound('CONTACT_REQUEST_NOT_FOUND', 'Contact request not found');
