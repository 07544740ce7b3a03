import { type CallsOf, createPlatformClient, isPlatformError, type PlatformClient } from '@platform/client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import type { Records } from '@platform/shared/testing/records';

type Ok<Body> = { 200: { content: { 'application/json': Body } } };
type Json<Body> = { content: { 'application/json': Body } };
type WithId = { path: { id: string } };
type Project = { id: string; title: string; description: string; status: string; etag: string };
type Post<Body, Result, Parameters = object> = {
  parameters: Parameters;
  requestBody: Json<Body>;
  responses: Ok<Result>;
};
type Member = { role: string; status: string; canSign: boolean; canSubmit: boolean };

/** The paths of the service, as generated from its document. */
type MarketPaths = {
  '/market/projects': {
    get: { parameters: object; requestBody?: never; responses: Ok<{ data: Project[] }> };
    post: Post<{ id: string; title: string; description: string; category: string }, Project>;
  };
  '/market/projects/{id}': {
    patch: Post<Partial<Pick<Project, 'title' | 'description' | 'status'>>, Project, WithId>;
  };
  '/market/teams': { post: Post<{ id: string; name: string }, { id: string }> };
  '/market/teams/{id}/members': { post: Post<Member & { employeeId: string }, Member, WithId> };
  '/market/teams/{id}/members/me': {
    delete: { parameters: WithId; requestBody?: never; responses: Ok<object> };
  };
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
