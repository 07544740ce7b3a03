import type { StateLook } from '../../components/state.tsx';
import type { ContactRequest } from './contact-queries.ts';

type Stage = { name: 'new' | 'work' | 'done'; look: StateLook };

/** New is nobody's, in work is somebody's. */
export const stageOf = ({ doneAt, assignee }: Pick<ContactRequest, 'doneAt' | 'assignee'>): Stage => {
  if (doneAt !== null) return { name: 'done', look: 'off' };
  return assignee ? { name: 'work', look: 'warn' } : { name: 'new', look: 'new' };
};

/** A project request has no subject: the first line of its message stands for it. */
export const subjectOf = ({ subject, message }: Pick<ContactRequest, 'subject' | 'message'>): string =>
  subject ?? message?.split('\n').find((line) => line.trim() !== '') ?? '';

/** Whom it is from, and its subject. */
export const nameOfRequest = (request: Pick<ContactRequest, 'name' | 'email' | 'subject' | 'message'>) =>
  [request.name ?? request.email, subjectOf(request)].filter(Boolean).join(', ');

const LATE_MILLISECONDS = 4 * 3_600_000;

/** An open request of more than four hours. */
export const isLate = (
  { createdAt, doneAt }: Pick<ContactRequest, 'createdAt' | 'doneAt'>,
  now = Date.now(),
) => doneAt === null && now - Date.parse(createdAt) > LATE_MILLISECONDS;

type Neighbours = { previous: string | undefined; next: string | undefined };

/** The ids beside one in the list; after the last one comes none. */
export const neighboursOf = (ids: readonly string[], id: string): Neighbours => {
  const index = ids.indexOf(id);
  return index === -1
    ? { previous: undefined, next: ids[0] }
    : { previous: ids[index - 1], next: ids[index + 1] };
};
