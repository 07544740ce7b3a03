import type { components } from '../../types/internal.ts';
import type { CallSignal } from './operation-types.ts';
import { isPlatformError, type ServiceErrorCode } from './platform-error.ts';
import { createCall, type ServiceClientOptions } from './service-call.ts';

// biome-ignore lint/performance/noBarrelFile: an entry of the published package.
export { isPlatformError, PlatformError, type ServiceErrorCode } from './platform-error.ts';
export type { ServiceClientOptions } from './service-call.ts';

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
export type NewMail = Schemas['NewMail'];
/** `sent`: the mail server has accepted it. */
export type MailOfService = Schemas['MailOfService'];
/** `cursor` is the `nextCursor` of an earlier page. */
type PageQuery = { cursor?: string | undefined; limit?: number | undefined };
export type ProjectQuery = PageQuery & { ownerId?: string; status?: Project['status'] };
/** `employeeId` selects the teams of a member who is not removed. */
export type TeamQuery = PageQuery & { employeeId?: string; status?: Team['status'] };
export type ListPage<Item> = { data: Item[]; nextCursor: string | null };
export type EventType = Schemas['EventType'];
/** A CloudEvent. */
export type PlatformEvent = Schemas['Event'];
/**
 * Store `next` in the same transaction as the work that `data` causes. Then each event is handled exactly
 * once.
 */
export type EventPage = Schemas['EventPage'];

export type EventsOptions = CallSignal & {
  /**
   * The maximum number of events per page, 1 to 1000. With 1, a reader can store its position after each
   * event. Default: 100.
   */
  limit?: number | undefined;
  /** Only events of these types, at most 30; the position moves past the others. Default: all. */
  types?: readonly EventType[] | undefined;
};

/** Sent with a change: if somebody else has changed it since, the code is CHANGED_MEANWHILE. */
export type ChangeOptions = CallSignal & {
  /**
   * An earlier `etag`. Such a call is not retried, because the retry could not recognise the change of the
   * first attempt.
   */
  ifMatch?: string | undefined;
};

const TIMEOUT_SECONDS = 4;
const MAX_IDS = 100;
/** The maximum that the platform allows. */
const WAIT_SECONDS = 25;
/** How long the response may take after the wait. */
const EVENTS_TIMEOUT_SECONDS = 10;

/** Encoded, because the caller may have got an id from a user: `../teams/…` must not become another path. */
const toPath = (...segments: string[]): string =>
  segments.map((each) => `/${encodeURIComponent(each)}`).join('');

const toQuery = (query: object): string =>
  `${new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined))}`;

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
    /** The address may be unverified: then it need not be the person's. Undefined if no account has it. */
    findUserByEmail: async (email: string, callSignal?: CallSignal): Promise<UserById | undefined> =>
      (await get<{ data: UserById[] }>(`/users?${toQuery({ email })}`, callSignal)).data[0],
    findProjects: (ids: readonly string[], callSignal?: CallSignal) =>
      find<Project>('/projects', ids, callSignal),
    findTeams: (ids: readonly string[], callSignal?: CallSignal) => find<Team>('/teams', ids, callSignal),

    /** A page in the order of the ids, deleted projects included. `nextCursor` is null at the end. */
    listProjects: (query: ProjectQuery = {}, callSignal?: CallSignal) =>
      get<ListPage<Project>>(`/projects?${toQuery(query)}`, callSignal),
    /** A page in the order of the ids, with members. `nextCursor` is null at the end. */
    listTeams: (query: TeamQuery = {}, callSignal?: CallSignal) =>
      get<ListPage<Team>>(`/teams?${toQuery(query)}`, callSignal),

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
     * Mails a user in the platform's look. The id is a new UUID of yours: repeating the call with it mails
     * nobody and returns the state. @throws PlatformError 403 EMAIL_NOT_VERIFIED, 404 USER_NOT_FOUND,
     * 409 MAIL_EXISTS, 429 after twenty mails to the user within an hour
     */
    sendMail: (id: string, mail: NewMail, callSignal?: CallSignal) =>
      change<MailOfService>('PUT', toPath('mails', id), mail, callSignal),

    /**
     * Yields the pages of events after the stored `next`, or from the oldest event that is kept. It never ends
     * and yields a page at least every 25 s, which is empty if nothing has happened. @throws PlatformError 410
     * EVENTS_EXPIRED if `after` is no longer known; then start without it
     */
    events: async function* (
      after?: string,
      { signal, limit = 100, types = [] }: EventsOptions = {},
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
        for (const type of types) query.append('type', type);
        const page = (await call({ origin: adminUrl, path: `/events?${query}` }, times, signal)) as EventPage;
        yield page;
        next = page.next;
      }
    },
  };
};

export type ServiceClient = ReturnType<typeof createServiceClient>;
