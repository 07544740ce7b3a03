import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { backOffice } from '../back-office.ts';
import { present } from '../query-fields.ts';

export const ROLES = ['CUSTOMER', 'EMPLOYEE', 'ADMIN', 'OPERATOR', 'ARBITER'] as const;
type Role = (typeof ROLES)[number];

export const USER_ORDERS = ['-createdAt', 'createdAt', '-lastSignInAt', 'lastSignInAt'] as const;

type ListQuery = {
  page: number;
  perPage: number;
  q: string | undefined;
  role: Role | undefined;
  isBlocked: boolean | undefined;
  isEmailVerified: boolean | undefined;
  createdFrom: string | undefined;
  sort: (typeof USER_ORDERS)[number] | undefined;
};

export const userList = (query: ListQuery) =>
  queryOptions({
    queryKey: ['users', 'list', query],
    queryFn: ({ signal }) => backOffice.GET('/users', { params: { query: present(query) }, signal }),
    placeholderData: keepPreviousData,
  });

const ofUser = (id: string, part: string) => ['users', id, part] as const;

export const userDetail = (id: string) =>
  queryOptions({
    queryKey: ofUser(id, 'detail'),
    queryFn: ({ signal }) => backOffice.GET('/users/{id}', { params: { path: { id } }, signal }),
  });

export const userSessions = (id: string) =>
  queryOptions({
    queryKey: ofUser(id, 'sessions'),
    queryFn: ({ signal }) => backOffice.GET('/users/{id}/sessions', { params: { path: { id } }, signal }),
  });

export const userNotes = (id: string) =>
  queryOptions({
    queryKey: ofUser(id, 'notes'),
    queryFn: ({ signal }) => backOffice.GET('/users/{id}/notes', { params: { path: { id } }, signal }),
  });

/** The newest records; the audit log has the others. */
export const userActivity = (id: string) =>
  queryOptions({
    queryKey: ofUser(id, 'activity'),
    queryFn: ({ signal }) =>
      backOffice.GET('/administrator/audit-log', { params: { query: { userId: id, perPage: 50 } }, signal }),
  });

/** The newest mails; the back office has no page of all. */
export const userMails = (id: string) =>
  queryOptions({
    queryKey: ofUser(id, 'mails'),
    queryFn: ({ signal }) =>
      backOffice.GET('/users/{id}/mails', { params: { path: { id }, query: { perPage: 20 } }, signal }),
  });

/** The newest forms with the address of the person; the requests have the others. */
export const userRequests = (id: string) =>
  queryOptions({
    queryKey: ['contact-requests', 'of-user', id],
    queryFn: ({ signal }) =>
      backOffice.GET('/administrator/contact-requests', {
        params: { query: { userId: id, perPage: 5 } },
        signal,
      }),
  });

/** What an action on a user may change. */
export const USER_CHANGE = { invalidates: [['users'], ['audit-log']] } as const;
