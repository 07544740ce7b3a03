import type { AdminUser, AuditAction } from '@platform/client';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { backOffice } from '../back-office.ts';
import { present } from '../query-fields.ts';

export const USER_ORDERS = ['-createdAt', 'createdAt', '-lastSignInAt', 'lastSignInAt'] as const;

type ListQuery = {
  page: number;
  perPage: number;
  q: string | undefined;
  role: AdminUser['roles'][number] | undefined;
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

/** Each kind of records is asked for: many failed sign-ins would push the changes out of a page. */
const RECORDS = {
  all: {},
  signIns: { action: ['SIGNED_IN', 'SIGN_IN_FAILED'] },
  changes: { hideSignIns: true },
} satisfies Record<string, { action?: AuditAction[]; hideSignIns?: boolean }>;

/** The records of a person, newest first, page by page. */
export const userActivity = (id: string, kind: keyof typeof RECORDS) =>
  infiniteQueryOptions({
    queryKey: [...ofUser(id, 'activity'), kind],
    queryFn: ({ signal, pageParam }) => {
      const query = { userId: id, perPage: 50, ...RECORDS[kind], ...present({ cursor: pageParam }) };
      return backOffice.GET('/administrator/audit-log', { params: { query }, signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** The mails to a person, newest first, page by page. */
export const userMails = (id: string) =>
  infiniteQueryOptions({
    queryKey: ofUser(id, 'mails'),
    queryFn: ({ signal, pageParam }) => {
      const query = { page: pageParam, perPage: 20 };
      return backOffice.GET('/users/{id}/mails', { params: { path: { id }, query }, signal });
    },
    initialPageParam: 1,
    getNextPageParam: ({ page, perPage, total }) => (page * perPage < total ? page + 1 : undefined),
  });

/** What an action on a user may change. */
export const USER_CHANGE = { invalidates: [['users'], ['audit-log']] } as const;
