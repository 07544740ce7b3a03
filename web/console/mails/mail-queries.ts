import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { backOffice } from '../back-office.ts';
import { present } from '../query-fields.ts';

type ListQuery = { page: number; perPage: number; state: 'waiting' | 'failed' | undefined };

export const readMails = (query: ListQuery, signal?: AbortSignal) =>
  backOffice.GET('/administrator/mails', { params: { query: present(query) }, ...(signal && { signal }) });

export type Mail = Awaited<ReturnType<typeof readMails>>['data'][number];

/** Mails are sent all the time, so the list is read again. */
const POLL_MILLISECONDS = 5_000;

export const mailList = (query: ListQuery) =>
  queryOptions({
    queryKey: ['mails', query],
    queryFn: ({ signal }) => readMails(query, signal),
    placeholderData: keepPreviousData,
    meta: { pollMilliseconds: POLL_MILLISECONDS },
  });

export const retryMail = (id: string) =>
  backOffice.POST('/administrator/mails/{id}/retry', { params: { path: { id } } });
export const deleteMail = (id: string) =>
  backOffice.DELETE('/administrator/mails/{id}', { params: { path: { id } } });

/** What a retry or a deletion changes. */
export const MAIL_CHANGE = { invalidates: [['mails'], ['overview'], ['audit-log']] } as const;
