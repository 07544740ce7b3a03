import { isDeepStrictEqual } from 'node:util';
import type { HttpRequest, HttpResponse } from '@platform/shared/testing/http-client';
import type { Operation } from '@platform/shared/testing/openapi-operations';
import type { Contract } from './contract.ts';
import { collect, getHeader } from './response-rules.ts';

type Fields = Record<string, unknown>;
type Known = { fields: Fields; changes: number };

/** Fields that never change. */
const FIXED = ['createdAt', 'userId', 'customerId', 'employeeId', 'fingerprint'];
/**
 * Fields that depend on the caller, on the tokens of the session (no refresh changes `updatedAt`), or on the
 * member of a team.
 */
const RELATIVE = ['isCurrent', 'methods', 'refreshedAt', 'role'];
/** The name of a user is that of the profile, so a change of it is no change of the user's `updatedAt`. */
const OF_PROFILE = 'name';
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Lists every object with an id in a body, such as a user, project, team or session. */
const listThings = (node: unknown): Fields[] => {
  if (typeof node !== 'object' || node === null) return [];
  const inside = Object.values(node).flatMap(listThings);
  return 'id' in node && UUID.test(String(node.id)) ? [node as Fields, ...inside] : inside;
};

/** Nested objects have their own ids or depend on the operation, so they are not compared here. */
const isComparable = (value: unknown): boolean =>
  Array.isArray(value) ? value.every((item) => typeof item === 'string') : typeof value !== 'object';

const listDifferences = (before: Fields, now: Fields): string[] =>
  Object.keys(now).filter(
    (name) =>
      name in before &&
      !RELATIVE.includes(name) &&
      (isComparable(now[name]) || isComparable(before[name])) &&
      !isDeepStrictEqual(now[name], before[name]),
  );

/**
 * A reference, such as the `user` of an audit record, has no `createdAt`. Its `name` may be an address where that of
 * the user is null, so it is compared only with references that have the same fields.
 */
const toKey = (thing: Fields): string =>
  'createdAt' in thing ? String(thing['id']) : `${thing['id']} ${Object.keys(thing).sort()}`;

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));

/**
 * Anything may differ when `updatedAt` is later. Without that field, anything may differ after a change by
 * this run.
 */
const mayDiffer = (before: Fields, now: Fields, hasChanged: boolean): boolean => {
  const [old, updated] = [before['updatedAt'], now['updatedAt']];
  return typeof old === 'string' && typeof updated === 'string' ? updated > old : hasChanged;
};

/** Checks that a user, its profile and its session refer to each other. */
const checkLinks = ({ user, profile, session }: Record<string, Fields | null | undefined>): string[] => {
  if (!user) return [];
  const isOther = (part: Fields | null | undefined) =>
    part && 'userId' in part && part['userId'] !== user['id'];
  return collect({
    '/profile/id is not that of the user':
      profile && ![user['customerId'], user['employeeId']].includes(profile['id']),
    'a /userId is another user': isOther(profile) || isOther(session),
  });
};

const toComparable = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

/** Checks that the response shows the values that the request names or sets. */
const checkSent = (sent: HttpRequest['body'], things: readonly Fields[]): string[] =>
  Object.entries(typeof sent === 'object' ? sent : {}).flatMap(([name, value]) => {
    const shown = things.filter((thing) => name in thing).map((thing) => toComparable(thing[name]));
    const isOther = shown.every((other) => !isDeepStrictEqual(other, toComparable(value)));
    return shown.length > 0 && isOther ? [`/${name} is not that of the request`] : [];
  });

/**
 * Checks that the response is about the session of the request, and that a list marks it as the current one.
 */
const checkSession = (sessionId: unknown, things: readonly Fields[], session?: Fields): string[] =>
  collect({
    'another session is current':
      sessionId && things.some(({ id, isCurrent }) => isCurrent === (id !== sessionId)),
    '/session/id is another one': sessionId && session && session['id'] !== sessionId,
  });

/** An export marks no session as the current one. */
const isExport = ({ id }: Operation): boolean => /(?:AccountExport|exportUser)$/.test(id);

/** Compares each response with earlier ones, and records which operations have succeeded. */
export const createMemory = ({ find, operations }: Contract) => {
  const things = new Map<string, Known>();
  /** Session ids by access token. */
  const sessions = new Map<unknown, unknown>();
  const succeeded = new Set<Operation>();
  const excused: RegExp[] = [];
  let changes = 0;

  const compare = (now: Fields): string[] => {
    const key = toKey(now);
    const known = things.get(key) ?? { fields: {}, changes };
    const hasChanged = changes > known.changes;
    const isFree = mayDiffer(known.fields, now, hasChanged);
    const before = isFree ? pick(known.fields, FIXED) : known.fields;
    things.set(key, { fields: { ...before, ...now }, changes });
    return listDifferences(before, now)
      .filter((name) => name !== OF_PROFILE || !hasChanged)
      .map(
        (name) => `/${name} of ${now['id']} is not that of an earlier response, and /updatedAt is not later`,
      );
  };
  const findSession = (request: HttpRequest): unknown => {
    const token = getHeader(request, 'authorization');
    const sent = getHeader(request, 'x-session-id');
    if (token !== undefined && sent !== undefined) sessions.set(token, sent);
    return sent ?? sessions.get(token);
  };

  return {
    /** Records a response, and returns what contradicts earlier ones. */
    note: (request: HttpRequest, { status, body }: HttpResponse): string[] => {
      const { method = 'GET', path } = request;
      const operation = find({ method, path: path.split('?', 1)[0] ?? '' });
      if (status < 200 || status > 299 || !operation) return [];
      succeeded.add(operation);
      if (method !== 'GET') changes += 1;
      const shown = listThings(body);
      return [
        ...shown.flatMap(compare),
        ...checkLinks(Object(body)),
        ...checkSent(request.body, shown),
        ...checkSession(isExport(operation) ? undefined : findSession(request), shown, Object(body).session),
      ];
    },
    /** Records the ids of operations that could not be tried. */
    excuse: (ids: readonly RegExp[]): void => {
      excused.push(...ids);
    },
    /** Lists the operations without a success and without an excuse. */
    listUntried: (): Operation[] =>
      operations.filter(
        (operation) => !succeeded.has(operation) && !excused.some((ids) => ids.test(operation.id)),
      ),
  };
};

export type Memory = ReturnType<typeof createMemory>;
