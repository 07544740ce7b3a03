export type Request = {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
};

/** Where a response holds the token that the client's next request must present. */
export type TokenCarry = { from: 'cookie'; name: string } | { from: 'directus-body' };

type TokenResponse = { setCookies: readonly string[]; body: string };

const withCookie = (request: Request, name: string, { setCookies }: TokenResponse): Request => {
  const cookie = setCookies.find((line) => line.startsWith(`${name}=`))?.split(';')[0];
  if (cookie === undefined) throw new Error(`The response sets no cookie ${name}`);
  return { ...request, headers: { ...request.headers, Cookie: cookie } };
};

/** The format of `POST /auth/refresh` of Directus. */
const withDirectusToken = (request: Request, { body }: TokenResponse): Request => {
  const { data } = JSON.parse(body) as { data: { refresh_token: string } };
  return { ...request, body: JSON.stringify({ refresh_token: data.refresh_token, mode: 'json' }) };
};

/** The same request with the token of the response. */
export const toNextRequest = (request: Request, carry: TokenCarry, response: TokenResponse): Request =>
  carry.from === 'cookie' ? withCookie(request, carry.name, response) : withDirectusToken(request, response);

/** Divides the requests evenly among the clients; with fewer requests than clients, each client gets all of them. */
export const requestsOfClient = <Item>(items: readonly Item[], client: number, clients: number): Item[] =>
  items.length < clients ? [...items] : items.filter((_, index) => index % clients === client);
