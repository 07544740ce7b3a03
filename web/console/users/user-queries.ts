import type { AuditAction } from '@platform/client';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { get, type QueryOf, read, readPage } from '../read.ts';

export const userList = (query: QueryOf<'/users'>) => readPage(['users', 'list', query], '/users', { query });

const ofUser = (id: string, part: string) => ['users', id, part] as const;

export const userSessions = (id: string) =>
  read(ofUser(id, 'sessions'), '/users/{id}/sessions', { path: { id } });

export const userNotes = (id: string) => read(ofUser(id, 'notes'), '/users/{id}/notes', { path: { id } });

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
    queryFn: ({ signal, pageParam: cursor }) =>
      get(
        '/administrator/audit-log',
        { query: { userId: id, perPage: 50, ...RECORDS[kind], cursor } },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** The mails to a person, newest first, page by page. */
export const userMails = (id: string) =>
  infiniteQueryOptions({
    queryKey: ofUser(id, 'mails'),
    queryFn: ({ signal, pageParam: page }) =>
      get('/users/{id}/mails', { path: { id }, query: { page, perPage: 20 } }, signal),
    initialPageParam: 1,
    getNextPageParam: ({ page, perPage, total }) => (page * perPage < total ? page + 1 : undefined),
  });

/** The queries to load again after an action on a user. */
export const USER_CHANGE = { invalidates: [['users'], ['audit-log']] } as const;
