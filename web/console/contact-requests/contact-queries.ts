import { backOffice } from '../back-office.ts';
import { get, type QueryOf, read, readPage } from '../read.ts';
import type { ContactRequest } from '../records/record-queries.ts';

export const VIEWS = ['open', 'new', 'mine', 'done'] as const;
export type View = (typeof VIEWS)[number];

/** The API's filter of a view. @param ownId the reader's */
export const filterOf = (view: View, ownId: string | undefined) => {
  const assigneeId = { new: 'none', mine: ownId, open: undefined, done: undefined }[view];
  return { isDone: view === 'done', assigneeId };
};

/** Loaded again each minute, because colleagues work on the same requests. */
const POLLED = { meta: { pollMilliseconds: 60_000 } };

export const contactRequestList = (query: QueryOf<'/administrator/contact-requests'>) => ({
  ...readPage(['contact-requests', query], '/administrator/contact-requests', { query }),
  ...POLLED,
});

const at = (id: string) => ({ params: { path: { id } } });

/** A form with its notes and replies. */
export const contactRequest = (id: string) => ({
  ...read(['contact-requests', 'detail', id], '/administrator/contact-requests/{id}', { path: { id } }),
  ...POLLED,
});

export const editContactRequest = (id: string, change: { isDone?: boolean; assigneeId?: string | null }) =>
  backOffice.PATCH('/administrator/contact-requests/{id}', { ...at(id), body: change });
/**
 * Assigns the request, and returns the new assignee. Reads it again if the response was lost, which has no body
 * then.
 */
export const assignContactRequest = async (id: string, assigneeId: string | null) => {
  const edited: Pick<ContactRequest, 'assignee'> | undefined = await editContactRequest(id, { assigneeId });
  return (edited ?? (await get('/administrator/contact-requests/{id}', { path: { id } }))).assignee;
};
/** The page makes the id, so that a repeated request adds nothing. */
type NewEntry = { id: string; text: string };
export const addContactNote = (id: string, entry: NewEntry) =>
  backOffice.POST('/administrator/contact-requests/{id}/notes', { ...at(id), body: entry });
export const replyToContact = (id: string, { isDone, ...entry }: NewEntry & { isDone: boolean }) =>
  backOffice.POST('/administrator/contact-requests/{id}/replies', {
    ...at(id),
    body: { ...entry, ...(isDone && { isDone }) },
  });

/** The queries to load again after a change of a request. */
export const CONTACT_CHANGE = { invalidates: [['contact-requests'], ['overview'], ['audit-log']] } as const;
