import type { ContactRequest } from '../records/record-queries.ts';
import { subjectOf } from '../records/request-state.tsx';

/** The name of the draft of a reply or note. */
export const draftOf = (mode: 'reply' | 'note', id: string): string => `request-${mode}-${id}`;

/** A random id. `crypto.randomUUID` is missing on pages without TLS. */
export const createUuid = (): string => {
  const hex = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) =>
    byte.toString(16).padStart(2, '0'),
  );
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

/** The sender and the subject of a request. */
export const nameOfRequest = (request: Pick<ContactRequest, 'name' | 'email' | 'subject' | 'message'>) =>
  [request.name ?? request.email, subjectOf(request)].filter(Boolean).join(', ');

const LATE_MILLISECONDS = 4 * 3_600_000;

/** An open request of more than four hours. */
export const isLate = (
  { createdAt, doneAt }: Pick<ContactRequest, 'createdAt' | 'doneAt'>,
  now = Date.now(),
) => doneAt === null && now - Date.parse(createdAt) > LATE_MILLISECONDS;

/** The place of a request in the list; `first` and `last` are those of a page that is not loaded yet. */
export type Place = { page: number; request: string };
type Places = { position: number | undefined; previous: Place | undefined; next: Place | undefined };
type ListPage = { ids: readonly string[]; page: number; perPage: number; total: number };

/** The position of a request in the whole list, and its neighbours, also on other pages. */
export const placesOf = ({ ids, page, perPage, total }: ListPage, id: string): Places => {
  const index = ids.indexOf(id);
  const here = (request: string | undefined) => (request === undefined ? undefined : { page, request });
  if (index === -1) return { position: undefined, previous: undefined, next: here(ids[0]) };
  const position = (page - 1) * perPage + index + 1;
  const before = page > 1 ? { page: page - 1, request: 'last' } : undefined;
  const after = position < total ? { page: page + 1, request: 'first' } : undefined;
  return {
    position,
    previous: here(ids[index - 1]) ?? before,
    next: here(ids[index + 1]) ?? after,
  };
};
