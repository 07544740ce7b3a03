import type { components } from '../../types/internal.ts';
import { abortable } from './abortable.ts';
import type { CallSignal } from './operation-types.ts';
import { isPlatformError, PlatformError, requireSuccess, type ServiceErrorCode } from './platform-error.ts';
import { toRetryMilliseconds, wait } from './retry.ts';

// biome-ignore lint/performance/noBarrelFile: an entry of the published package.
export { isPlatformError, PlatformError, type ServiceErrorCode } from './platform-error.ts';

type Schemas = components['schemas'];
export type Introspection = Schemas['IntrospectionResult'];
export type ActiveToken = Schemas['ActiveToken'];
export type UserById = Schemas['UserById'];
/** For `ifMatch`: the version that was returned. */
type WithEtag<Body> = Body & { etag: string };
export type Project = Schemas['Project'];
export type NewProject = Schemas['NewProject'];
export type ProjectChange = Schemas['ProjectChange'];
export type Team = Schemas['TeamWithMembers'];
export type NewTeam = Schemas['NewTeam'];
export type TeamChange = Schemas['TeamChange'];
export type TeamMember = Schemas['MemberOfTeam'];
export type TeamMemberState = Schemas['MemberState'];
type ServiceError = PlatformError<ServiceErrorCode>;
/** A CloudEvent. */
export type PlatformEvent = Schemas['Event'];
/**
 * Store `next` in the same transaction as the work that `data` causes. Then each event is handled exactly
 * once.
 */
export type EventPage = Schemas['EventPage'];

export type ServiceClientOptions = {
  /** The origins of the platform's services, as this service reaches them. Do not use the gateway's. */
  authUrl: string;
  adminUrl: string;
  /** The service's name in SERVICES. */
  name: string;
  /** The value of SERVICE_<NAME>_SECRET. A single one, even while the platform accepts two. */
  secret: string;
  /**
   * The timeout of a call including its retries; of `find…`, for each 100 ids. Default: 4, so that two calls
   * in a row end before the gateway's timeout of 10 s.
   */
  timeoutSeconds?: number | undefined;
  /** Called before each retry, to log or count it. `events` never stops retrying. */
  onRetry?: ((error: ServiceError, delayMilliseconds: number) => void) | undefined;
};

export type EventsOptions = CallSignal & {
  /**
   * The maximum number of events per page, 1 to 1000. With 1, a reader can store its position after each
   * event. Default: 100.
   */
  limit?: number | undefined;
};

/** Sent with a change: if somebody else has changed it since, the code is CHANGED_MEANWHILE. */
export type ChangeOptions = CallSignal & {
  /** An earlier `etag`. Such a call is not repeated, because a repetition could not tell its own change. */
  ifMatch?: string | undefined;
};

const TIMEOUT_SECONDS = 4;
const MAX_IDS = 100;
/** The maximum that the platform allows. */
const WAIT_SECONDS = 25;
/** How long the response may take after the wait. */
const EVENTS_TIMEOUT_SECONDS = 10;

type Timeouts = { attemptSeconds: number; totalSeconds: number; hasRetries?: boolean };
type Target = {
  origin: string;
  path: string;
  method?: string;
  body?: URLSearchParams | string;
  headers?: Record<string, string>;
};

const isTemporary = (error: unknown): error is ServiceError =>
  isPlatformError<ServiceErrorCode>(error) && [0, 429, 502, 503, 504].includes(error.status);

/** Encodes the credentials as in RFC 7617, with UTF-8. */
const toBasic = (name: string, secret: string): string =>
  `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${name}:${secret}`)))}`;

const createCall = (
  { name, secret, onRetry }: ServiceClientOptions,
  authorization = toBasic(name, secret),
) => {
  const send = async (
    { origin, path, headers, ...rest }: Target,
    signal: AbortSignal | undefined,
    milliseconds: number,
  ) => {
    const url = `${origin.replace(/\/$/, '')}/internal/v1${path}`;
    const request = async (limited: AbortSignal) => {
      const response = await fetch(url, {
        ...rest,
        headers: { ...headers, Authorization: authorization },
        redirect: 'error',
        cache: 'no-store',
        signal: limited,
      });
      const body = requireSuccess(response, await response.text()) as object | undefined;
      const etag = response.headers.get('ETag');
      return etag === null ? body : { ...body, etag };
    };
    return await abortable({ signal, milliseconds }, request).catch((error: unknown): never => {
      if (signal?.aborted) throw signal.reason;
      if (isPlatformError(error) && error.status > 0) throw error;
      throw new PlatformError('SERVICE_UNREACHABLE', `No response from ${origin}`, {}, error);
    });
  };

  return async (
    target: Target,
    { attemptSeconds, totalSeconds, hasRetries = true }: Timeouts,
    signal: AbortSignal | undefined,
  ): Promise<unknown> => {
    const end = Date.now() + totalSeconds * 1_000;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send(target, signal, Math.min(attemptSeconds * 1_000, end - Date.now()));
      } catch (error) {
        if (!hasRetries || !isTemporary(error)) throw error;
        const delay = toRetryMilliseconds(attempt, error.retryAfterSeconds);
        if (Date.now() + delay >= end) throw error;
        onRetry?.(error, delay);
        await wait(delay, signal);
      }
    }
  };
};

/** Encoded, because the caller may have got an id from a user: `../teams/…` must not become another path. */
const toPath = (...segments: string[]): string =>
  segments.map((each) => `/${encodeURIComponent(each)}`).join('');

const toIds = (ids: readonly string[]): string =>
  `${new URLSearchParams(ids.map((id): [string, string] => ['id', id]))}`;

/**
 * The platform's operations for another service of the marketplace. Calls are repeated, with backoff and
 * jitter, after a lost connection, 429, 502, 503 and 504. Every other failure rejects with a PlatformError,
 * such as 401 SERVICE_UNKNOWN for a wrong secret.
 */
export const createServiceClient = (options: ServiceClientOptions) => {
  const { authUrl, adminUrl, timeoutSeconds = TIMEOUT_SECONDS } = options;
  const call = createCall(options);
  // An instance that hangs must leave time for an attempt on another one.
  const timeouts = { attemptSeconds: timeoutSeconds / 2, totalSeconds: timeoutSeconds };
  const once = { attemptSeconds: timeoutSeconds, totalSeconds: timeoutSeconds, hasRetries: false };

  const get = async <Result>(path: string, { signal }: CallSignal = {}): Promise<Result> =>
    (await call({ origin: adminUrl, path }, timeouts, signal)) as Result;

  const find = async <Item>(
    path: string,
    ids: readonly string[],
    callSignal?: CallSignal,
  ): Promise<Item[]> => {
    const found: Item[] = [];
    for (let from = 0; from < ids.length; from += MAX_IDS) {
      const page = `${path}?${toIds(ids.slice(from, from + MAX_IDS))}`;
      found.push(...(await get<{ data: Item[] }>(page, callSignal)).data);
    }
    return found;
  };

  const change = async <Result>(
    method: 'PUT' | 'PATCH',
    path: string,
    value: object,
    { signal, ifMatch }: ChangeOptions = {},
  ): Promise<Result> => {
    const headers = { 'Content-Type': 'application/json', ...(ifMatch && { 'If-Match': ifMatch }) };
    const target = { origin: adminUrl, path, method, body: JSON.stringify(value), headers };
    return (await call(target, ifMatch ? once : timeouts, signal)) as Result;
  };

  return {
    /**
     * Returns whose access token it is at this moment, so call it for every request. With the request's
     * X-Fingerprint, a stolen token is not active on another device.
     */
    introspect: async (
      token: string,
      fingerprint?: string,
      { signal }: CallSignal = {},
    ): Promise<Introspection> => {
      const body = new URLSearchParams({ token, ...(fingerprint && { fingerprint }) });
      const target = { origin: authUrl, path: '/introspect', method: 'POST', body };
      return (await call(target, timeouts, signal)) as Introspection;
    },

    /**
     * The `find…` functions take any number of ids, in requests of at most 100, and return what exists in the
     * order of the ids, also if it is deleted.
     */
    findUsers: (ids: readonly string[], callSignal?: CallSignal) => find<UserById>('/users', ids, callSignal),
    findProjects: (ids: readonly string[], callSignal?: CallSignal) =>
      find<Project>('/projects', ids, callSignal),
    findTeams: (ids: readonly string[], callSignal?: CallSignal) => find<Team>('/teams', ids, callSignal),

    /** Also returns a deleted project. @throws PlatformError 404 PROJECT_NOT_FOUND */
    getProject: (id: string, callSignal?: CallSignal) =>
      get<WithEtag<Project>>(toPath('projects', id), callSignal),
    /** The id is a new UUID of yours: repeating the call with it creates nothing twice. */
    putProject: (id: string, project: NewProject, callSignal?: CallSignal) =>
      change<WithEtag<Project>>('PUT', toPath('projects', id), project, callSignal),
    /** @throws PlatformError 404 PROJECT_NOT_FOUND (also of a deleted project), 412 CHANGED_MEANWHILE */
    changeProject: (id: string, changes: ProjectChange, changeOptions?: ChangeOptions) =>
      change<WithEtag<Project>>('PATCH', toPath('projects', id), changes, changeOptions),

    /** With its members. @throws PlatformError 404 TEAM_NOT_FOUND */
    getTeam: (id: string, callSignal?: CallSignal) => get<WithEtag<Team>>(toPath('teams', id), callSignal),
    /** The id is a new UUID of yours, as for a project. */
    putTeam: (id: string, team: NewTeam, callSignal?: CallSignal) =>
      change<WithEtag<Team>>('PUT', toPath('teams', id), team, callSignal),
    /** @throws PlatformError 404 TEAM_NOT_FOUND, 412 CHANGED_MEANWHILE */
    changeTeam: (id: string, changes: TeamChange, changeOptions?: ChangeOptions) =>
      change<WithEtag<Team>>('PATCH', toPath('teams', id), changes, changeOptions),

    /** Adds or changes a member. @throws PlatformError 409 LAST_TEAM_ADMINISTRATOR */
    putTeamMember: (teamId: string, employeeId: string, member: TeamMemberState, callSignal?: CallSignal) =>
      change<TeamMember>('PUT', toPath('teams', teamId, 'members', employeeId), member, callSignal),
    /** Resolves if the employee is no member, too. @throws PlatformError 409 LAST_TEAM_ADMINISTRATOR */
    removeTeamMember: async (
      teamId: string,
      employeeId: string,
      { signal }: CallSignal = {},
    ): Promise<void> => {
      const target = {
        origin: adminUrl,
        path: toPath('teams', teamId, 'members', employeeId),
        method: 'DELETE',
      };
      await call(target, timeouts, signal).catch((error: unknown) => {
        if (!isPlatformError<ServiceErrorCode>(error, 'MEMBER_NOT_FOUND')) throw error;
      });
    },

    /**
     * Yields the pages of events after the stored `next`, or from the oldest event that is kept. It never ends
     * and yields a page at least every 25 s, which is empty if nothing has happened. @throws PlatformError 410
     * EVENTS_EXPIRED if `after` is no longer known; then start without it
     */
    events: async function* (
      after?: string,
      { signal, limit = 100 }: EventsOptions = {},
    ): AsyncGenerator<EventPage, never, undefined> {
      const times = {
        attemptSeconds: WAIT_SECONDS + EVENTS_TIMEOUT_SECONDS,
        totalSeconds: Number.POSITIVE_INFINITY,
      };
      for (let next = after; ; ) {
        const query = new URLSearchParams({
          ...(next && { after: next }),
          limit: `${limit}`,
          wait: `${WAIT_SECONDS}`,
        });
        const page = (await call({ origin: adminUrl, path: `/events?${query}` }, times, signal)) as EventPage;
        yield page;
        next = page.next;
      }
    },
  };
};

export type ServiceClient = ReturnType<typeof createServiceClient>;
