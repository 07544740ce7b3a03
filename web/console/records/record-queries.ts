import { keepPreviousData } from '@tanstack/react-query';
import { type ResponseOf, read } from '../read.ts';

/** The newest actions of people, for the first screen: sign-ins would push them out. */
export const latestRecords = () => ({
  ...read(['audit-log', 'latest'], '/administrator/audit-log', { query: { hideSignIns: true, perPage: 8 } }),
  meta: { pollMilliseconds: 60_000 },
});

/** The records about one project or team. */
export const recordsOf = (targetId: string) =>
  read(['audit-log', 'target', targetId], '/administrator/audit-log', { query: { targetId, perPage: 5 } });

/** Finds the record of a team's verification, however many followed it. */
export const verificationOf = (targetId: string) =>
  read(['audit-log', 'verification', targetId], '/administrator/audit-log', {
    query: { targetId, action: ['TEAM_VERIFIED'], perPage: 1 },
  });

export type ContactRequest = ResponseOf<'/administrator/contact-requests'>['data'][number];

/** The newest requests with the address of the person; the inbox has the older ones. */
export const userRequests = (userId: string) =>
  read(['contact-requests', 'of-user', userId], '/administrator/contact-requests', {
    query: { userId, perPage: 5 },
  });

export const userDetail = (id: string) => read(['users', id, 'detail'], '/users/{id}', { path: { id } });

/** People whose name or address has this text. */
export const peopleNamed = (q: string) => ({
  ...read(['users', 'named', q], '/users', { query: { q, perPage: 8 } }),
  enabled: q.length > 1,
  placeholderData: keepPreviousData,
});

/** All colleagues: no platform has more than a page. */
export const colleagueList = () =>
  read(['users', 'colleagues'], '/users', { query: { hasPlatformRole: true, perPage: 100 } });

export type Invitation = ResponseOf<'/administrator/invitations'>['data'][number];

export const invitationList = () => read(['invitations'], '/administrator/invitations', {});
