import { hash } from 'node:crypto';
import { conflict, notFound } from '@platform/shared/errors/app-error';
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
  assignee: UserReference | null;
  /** The account whose verified address the form named when it came. */
  account: { id: string; name: string | null } | null;
  /** The time of the latest reply. */
  repliedAt: Date | null;
};

/** A note of the back office, or a reply that was mailed to the sender. */
export type ContactRequestEntry = { id: string; text: string; author: UserReference; createdAt: Date };
export type EntryKind = 'note' | 'reply';

/** An entry as an ADMIN sends it. */
export type NewContactEntry = {
  /** The sender makes it, so that a request whose response was lost can be repeated. */
  id?: string | undefined;
  text: string;
};

/** A change that an ADMIN has made to a form. */
export type ContactRequestEvent = {
  at: Date;
  action: 'assigned' | 'done' | 'reopened';
  by: UserReference | null;
};

/** Notes, replies and events are listed newest first. */
export type ContactRequestDetail = ContactRequest & {
  notes: ContactRequestEntry[];
  replies: ContactRequestEntry[];
  history: ContactRequestEvent[];
};
/** The version changes with whatever a colleague can change: state, assignee, notes and replies. */
export const toVersion = ({ doneAt, doneBy, assignee, notes, replies }: ContactRequestDetail): string => {
  const entries = [...notes, ...replies].map(({ id }) => id);
  return hash('sha256', JSON.stringify([doneAt, doneBy?.id, assignee?.id, entries]), 'base64url');
};

export type ContactRequestQuery = PageQuery & {
  kind?: ContactRequestKind | undefined;
  isDone?: boolean | undefined;
  /** The id of an ADMIN, or `none`. */
  assigneeId?: string | undefined;
  /** The user whose verified address the form named when it came. */
  userId?: string | undefined;
  q?: string | undefined;
};

/** An ADMIN sends the fields that change. The assignee null assigns the form to nobody. */
export type ContactRequestChange = { isDone?: boolean | undefined; assigneeId?: string | null | undefined };

export const toContactTarget = (targetId: string) => ({ targetType: 'CONTACT_REQUEST', targetId }) as const;

/** The limit of one ADMIN: a stolen session must not send mails without end in the name of the product. */
export const MAX_REPLIES_PER_HOUR = 60;

export const entryIdTaken = () => conflict('ID_TAKEN', 'Another note or reply has this id');
export const contactRequestNotFound = () =>
  notFound('CONTACT_REQUEST_NOT_FOUND', 'Contact request not found');
