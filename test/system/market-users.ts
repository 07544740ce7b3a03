import { type CallsOf, createPlatformClient, isPlatformError, type PlatformClient } from '@platform/client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import type { Records } from '@platform/shared/testing/records';

type Ok<Body> = { 200: { content: { 'application/json': Body } } };
type Json<Body> = { content: { 'application/json': Body } };
type WithId = { path: { id: string } };
type Project = { id: string; title: string; description: string; status: string; etag: string };
export type Bid = {
  id: string;
  projectTitle: string;
  teamName: string;
  authorId: string | null;
  state: string;
};
type Team = { id: string; name: string; members: { employeeId: string; status: string }[] };
type Page<Item> = { data: Item[]; nextCursor: string | null };
export type ProjectPage = Page<Project>;
type Member = { role: string; status: string; canSign: boolean; canSubmit: boolean };
type Get<Result, Query> = {
  parameters: { query?: Query & { cursor?: string } };
  requestBody?: never;
  responses: Ok<Result>;
};
type Send<Result, Body = never, Parameters = object> = {
  parameters: Parameters;
  requestBody: Json<Body>;
  responses: Ok<Result>;
};
type SendEmpty<Result> = { parameters: WithId; requestBody?: never; responses: Ok<Result> };

/** The paths of both examples, as generated from a document of theirs. */
type MarketPaths = {
  '/market/projects': {
    get: Get<Page<Project>, { limit?: number }>;
    post: Send<Project, { id: string; title: string; description: string; category: string }>;
  };
  '/market/projects/{id}': {
    patch: Send<Project, Partial<Pick<Project, 'title' | 'description' | 'status'>>, WithId>;
  };
  '/market/teams': {
    get: Get<Page<Team>, { limit?: number }>;
    post: Send<Team, { id: string; name: string }>;
  };
  '/market/teams/{id}/members': {
    post: Send<Member, Omit<Member, 'status'> & { employeeId: string }, WithId>;
  };
  '/market/teams/{id}/members/me': {
    post: SendEmpty<Member>;
    delete: { parameters: WithId; requestBody?: never; responses: { 204: { content?: never } } };
  };
  '/bids': {
    get: Get<Page<Bid>, { projectId?: string; teamId?: string }>;
    post: Send<Bid, { id: string; projectId: string; teamId: string; amount: number; message: string }>;
  };
  '/bids/{id}/accept': { post: SendEmpty<Bid> };
};

/** A user who is signed in in a browser, and calls the service with the typed client. */
export type User = {
  name: string;
  id: string;
  employeeId: string;
  tab: PlatformClient<'customer' | 'employee'>;
  market: CallsOf<MarketPaths>;
  /** The header of the last request. */
  authorization: () => string;
};

export const createMarketUsers = (gatewayUrl: string, records: Records) => {
  const tabs: { close: () => void }[] = [];

  return {
    signIn: async (name: string, kind: 'customer' | 'employee'): Promise<User> => {
      let authorization = '';
      const recordingFetch = (request: Request, init: { signal?: AbortSignal }) => {
        authorization = request.headers.get('Authorization') ?? authorization;
        return fetch(request, init);
      };
      const tab = createPlatformClient({ gatewayUrl, kind, fetch: recordingFetch });
      tabs.push(tab);
      const credentials = { email: uniqueEmail(), password: PASSWORD };
      await tab.signUp(credentials);
      const { user } = await tab.signIn(credentials);
      await tab.me(); // the first request with the access token
      const employeeId = 'employeeId' in user ? String(user.employeeId) : '';
      const market = tab as unknown as CallsOf<MarketPaths>;
      return { name, id: user.id, employeeId, tab, market, authorization: () => authorization };
    },
    signInAdministrator: async (): Promise<PlatformClient<'administrator'>> => {
      const { email, password } = await records.user(['ADMIN']);
      const tab = createPlatformClient({ gatewayUrl, kind: 'administrator' });
      tabs.push(tab);
      await tab.signIn({ email, password });
      return tab;
    },
    close: () => {
      for (const tab of tabs) tab.close();
    },
  };
};

/** Returns the result, or the status and the code of the failure. */
export const resultOf = async <Result>(call: Promise<Result>): Promise<Result | string> =>
  await call.catch((error: unknown) => {
    if (isPlatformError(error)) return `${error.status} ${error.code}`;
    throw error;
  });

/** Sends a request with the access token of the user, without the retries of the client. */
export const sendAs = (
  { authorization }: User,
  url: string,
  method: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(url, {
    method,
    headers: { Authorization: authorization(), 'Content-Type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
