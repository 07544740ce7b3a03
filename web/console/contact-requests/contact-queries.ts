import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { backOffice } from '../back-office.ts';
import { present } from '../query-fields.ts';

type ListQuery = {
  page: number;
  perPage: number;
  isDone: boolean | undefined;
  assigneeId?: string | undefined;
  q: string;
};

export const VIEWS = ['open', 'new', 'mine', 'done'] as const;
export type View = (typeof VIEWS)[number];

/** The API's filter of a view. @param ownId the reader's */
export const filterOf = (view: View, ownId: string | undefined) => {
  const assigneeId = { new: 'none', mine: ownId, open: undefined, done: undefined }[view];
  return { isDone: view === 'done', assigneeId };
};

export const readContactRequests = (query: ListQuery, signal?: AbortSignal) =>
  backOffice.GET('/administrator/contact-requests', {
    params: { query: present(query) },
    ...(signal && { signal }),
  });

export type ContactRequest = Awaited<ReturnType<typeof readContactRequests>>['data'][number];

/** Loaded again each minute, because colleagues work on the same requests. */
const POLLED = { pollMilliseconds: 60_000 };

export const contactRequestList = (query: ListQuery) =>
  queryOptions({
    queryKey: ['contact-requests', query],
    queryFn: ({ signal }) => readContactRequests(query, signal),
    placeholderData: keepPreviousData,
    meta: POLLED,
  });

const at = (id: string) => ({ params: { path: { id } } });

const readContactRequest = (id: string, signal?: AbortSignal) =>
  backOffice.GET('/administrator/contact-requests/{id}', { ...at(id), ...(signal && { signal }) });

/** A form with its notes and replies. */
export const contactRequest = (id: string) =>
  queryOptions({
    queryKey: ['contact-requests', 'detail', id],
    queryFn: ({ signal }) => readContactRequest(id, signal),
    meta: POLLED,
  });

export const editContactRequest = (id: string, change: { isDone?: boolean; assigneeId?: string | null }) =>
  backOffice.PATCH('/administrator/contact-requests/{id}', { ...at(id), body: change });
/**
 * Assigns the request, and returns the new assignee. Reads it again if the response was lost, which has no body
 * then.
 */
export const assignContactRequest = async (id: string, assigneeId: string | null) => {
  const edited: { assignee: ContactRequest['assignee'] } | undefined = await editContactRequest(id, {
    assigneeId,
  });
  return (edited ?? (await readContactRequest(id))).assignee;
};
export const addContactNote = (id: string, text: string) =>
  backOffice.POST('/administrator/contact-requests/{id}/notes', { ...at(id), body: { text } });
export const replyToContact = (id: string, text: string) =>
  backOffice.POST('/administrator/contact-requests/{id}/replies', { ...at(id), body: { text } });

/** What a change of a form changes. */
export const CONTACT_CHANGE = { invalidates: [['contact-requests'], ['overview'], ['audit-log']] } as const;
