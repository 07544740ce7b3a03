import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { backOffice } from '../back-office.ts';
import { present } from '../query-fields.ts';

type ListQuery = {
  page: number;
  perPage: number;
  kind: 'lead' | 'support' | undefined;
  isDone: boolean | undefined;
};

export const readContactRequests = (query: ListQuery, signal?: AbortSignal) =>
  backOffice.GET('/administrator/contact-requests', {
    params: { query: present(query) },
    ...(signal && { signal }),
  });

export type ContactRequest = Awaited<ReturnType<typeof readContactRequests>>['data'][number];

export const contactRequestList = (query: ListQuery) =>
  queryOptions({
    queryKey: ['contact-requests', query],
    queryFn: ({ signal }) => readContactRequests(query, signal),
    placeholderData: keepPreviousData,
  });

export const markContactRequest = (id: string, isDone: boolean) =>
  backOffice.PATCH('/administrator/contact-requests/{id}', { params: { path: { id } }, body: { isDone } });

/** What a mark changes. */
export const CONTACT_CHANGE = { invalidates: [['contact-requests'], ['overview'], ['audit-log']] } as const;
