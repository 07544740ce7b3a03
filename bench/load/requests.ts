export type Request = {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
};

/** Where an answer has the token that the next request of the same client must present. */
export type Carry = { from: 'cookie'; name: string } | { from: 'directus-body' };

export type Answer = { setCookies: readonly string[]; body: string };

const followCookie = (request: Request, name: string, { setCookies }: Answer): Request => {
  const cookie = setCookies.find((line) => line.startsWith(`${name}=`))?.split(';')[0];
  if (cookie === undefined) throw new Error(`The answer sets no cookie ${name}`);
  return { ...request, headers: { ...request.headers, Cookie: cookie } };
};

/** What `POST /auth/refresh` of Directus answers, and what it wants to be sent. */
const followBody = (request: Request, { body }: Answer): Request => {
  const { data } = JSON.parse(body) as { data: { refresh_token: string } };
  return { ...request, body: JSON.stringify({ refresh_token: data.refresh_token, mode: 'json' }) };
};

/** The request that follows on an answer: the same, with the token that it brought. */
export const followRequest = (request: Request, carry: Carry, answer: Answer): Request =>
  carry.from === 'cookie' ? followCookie(request, carry.name, answer) : followBody(request, answer);

/** Each client has requests of its own, as evenly as it comes; with fewer requests than clients, all have all of them. */
export const shareOf = <Item>(items: readonly Item[], client: number, clients: number): Item[] =>
  items.length < clients ? [...items] : items.filter((_, index) => index % clients === client);
