import { backOffice } from '../back-office.ts';
import { type QueryOf, type ResponseOf, readPage } from '../read.ts';

export type Mail = ResponseOf<'/administrator/mails'>['data'][number];

/** Mails are sent all the time, so the list is read again. */
export const mailList = (query: QueryOf<'/administrator/mails'>) => ({
  ...readPage(['mails', query], '/administrator/mails', { query }),
  meta: { pollMilliseconds: 5_000 },
});

export const retryMail = (id: string) =>
  backOffice.POST('/administrator/mails/{id}/retry', { params: { path: { id } } });
export const deleteMail = (id: string) =>
  backOffice.DELETE('/administrator/mails/{id}', { params: { path: { id } } });

/** The queries to load again after a retry or a deletion. */
export const MAIL_CHANGE = { invalidates: [['mails'], ['overview'], ['audit-log']] } as const;
