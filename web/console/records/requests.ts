import { queryOptions } from '@tanstack/react-query';
import { backOffice } from '../back-office.ts';

const readNewest = (userId: string, signal: AbortSignal) =>
  backOffice.GET('/administrator/contact-requests', { params: { query: { userId, perPage: 5 } }, signal });

export type ContactRequest = Awaited<ReturnType<typeof readNewest>>['data'][number];

/** The newest requests with the address of the person; the inbox has the older ones. */
export const userRequests = (id: string) =>
  queryOptions({
    queryKey: ['contact-requests', 'of-user', id],
    queryFn: ({ signal }) => readNewest(id, signal),
  });
