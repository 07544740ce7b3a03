import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenLocally } from '@platform/shared/testing/local-server';
import { createTokenSigner, type Signature } from './provider-tokens.ts';

type Endpoint = 'discovery' | 'keys' | 'token' | 'userinfo';
type Claims = Record<string, unknown>;
type Reply = { status?: number; headers?: Record<string, string>; body?: object | string };
/** The response that the endpoint would send, once `until` is resolved. */
type LateReply = { until: Promise<void> };

type Misbehaviour = {
  /** Endpoints that do not respond as they should. */
  responses?: Partial<Record<Endpoint, keyof typeof FAULTS | Reply | LateReply>>;
  /** Claims of ID tokens, added or replaced; undefined ones are omitted. */
  claims?: Claims;
  /** How ID tokens are signed. */
  signature?: Signature;
  /** Claims of userinfo responses, added or replaced. */
  userinfo?: Claims;
  /** Parameters of the callback URL, added or replaced; undefined ones are omitted. */
  callback?: Record<string, string | undefined>;
};

const hugeBytes = 64 * 1_024 * 1_024;
const chunk = ' '.repeat(64 * 1_024);

/** Sends valid JSON after 64 MiB of spaces. */
const respondHuge = (res: ServerResponse): void => {
  res.writeHead(200, { 'content-type': 'application/json' });
  let sent = 0;
  const write = () => {
    while (sent < hugeBytes) {
      sent += chunk.length;
      if (!res.write(chunk)) return void res.once('drain', write);
    }
    res.end('{}');
  };
  write();
};

/** Sends a byte every 200 ms and never ends. */
const respondSlowly = (res: ServerResponse): void => {
  res.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => res.write(' '), 200);
  res.once('close', () => clearInterval(timer));
};

const FAULTS = {
  hangs: () => undefined,
  'closes the connection': (res: ServerResponse) => void res.destroy(),
  'sends garbage': (res: ServerResponse) =>
    void res.writeHead(200, { 'content-type': 'application/json' }).end('{"garbage'),
  'redirects to itself': (res: ServerResponse) =>
    void res.writeHead(307, { location: res.req.url ?? '/' }).end(),
  'fails with 500': (res: ServerResponse) => void res.writeHead(500).end('<h1>Internal error</h1>'),
  'sends a byte at a time': respondSlowly,
  'sends a huge body': respondHuge,
} satisfies Record<string, (res: ServerResponse) => void>;

const reply = (res: ServerResponse, { status = 200, headers, body = {} }: Reply): void => {
  const content = typeof body === 'string' ? body : JSON.stringify(body);
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(content);
};

const describeProvider = (issuer: string): object => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
});

const PATHS: Record<string, Endpoint> = {
  '/.well-known/openid-configuration': 'discovery',
  '/keys': 'keys',
  '/token': 'token',
  '/userinfo': 'userinfo',
};

type State = {
  issuer: string;
  clientId: string;
  signer: Awaited<ReturnType<typeof createTokenSigner>>;
  person: { sub: string; email: string; email_verified: boolean };
  /** The parameters of the requests, keyed by the codes that are not redeemed yet. */
  authorizations: Map<string, URLSearchParams>;
  misbehaviour: Misbehaviour;
};

const toClaims = ({ issuer, clientId }: State, claims: Claims): Claims => {
  const now = Math.floor(Date.now() / 1_000);
  return { iss: issuer, aud: clientId, iat: now, exp: now + 300, ...claims };
};

const authorize = (
  { issuer, authorizations, misbehaviour }: State,
  { searchParams }: URL,
  res: ServerResponse,
): void => {
  const code = randomUUID();
  authorizations.set(code, searchParams);
  const callbackUrl = new URL(searchParams.get('redirect_uri') ?? '');
  const parameters = { code, state: searchParams.get('state') ?? undefined, iss: issuer };
  for (const [name, value] of Object.entries({ ...parameters, ...misbehaviour.callback }))
    if (value !== undefined) callbackUrl.searchParams.append(name, value);
  res.writeHead(303, { location: callbackUrl.href }).end();
};

/** OpenID Connect Core 1.0, 3.1.3.6, with RS256. */
const toTokenHash = (value: string): string =>
  createHash('sha256').update(value).digest().subarray(0, 16).toString('base64url');

const redeem = async (state: State, req: IncomingMessage): Promise<Reply> => {
  const { authorizations, person, misbehaviour, signer, clientId } = state;
  const code = new URLSearchParams(await text(req)).get('code') ?? '';
  const request = authorizations.get(code);
  if (request === undefined) return { status: 400, body: { error: 'invalid_grant' } };
  authorizations.delete(code);
  // Everyone authenticates immediately. A provider must send the time if `max_age` requests it.
  const authTime = request.has('max_age') ? Math.floor(Date.now() / 1_000) : undefined;
  const own = { ...person, nonce: request.get('nonce') ?? undefined, auth_time: authTime };
  const access_token = randomUUID();
  const optional = { azp: clientId, at_hash: toTokenHash(access_token), c_hash: toTokenHash(code) };
  const claims = toClaims(state, { ...own, ...optional, ...misbehaviour.claims });
  const id_token = await signer.sign(claims, misbehaviour.signature);
  return { body: { access_token, token_type: 'Bearer', expires_in: 300, id_token } };
};

const ENDPOINTS: Record<Endpoint, (state: State, req: IncomingMessage) => Promise<Reply> | Reply> = {
  discovery: ({ issuer }) => ({ body: describeProvider(issuer) }),
  keys: ({ signer }) => ({ body: { keys: [signer.publicKey] } }),
  token: redeem,
  userinfo: ({ person, misbehaviour }) => ({
    body: { ...person, ...misbehaviour.claims, ...misbehaviour.userinfo },
  }),
};

const createLogoutToken = (state: State, claims: Claims, signature?: Signature): Promise<string> => {
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const logout = { sub: state.person.sub, jti: randomUUID(), events };
  return state.signer.sign(toClaims(state, { ...logout, ...claims }), signature, 'logout+jwt');
};

/**
 * Starts a provider on loopback that signs everyone in without a page, and misbehaves as the real one does
 * not. It does not check the client, the redirect URI or PKCE.
 */
export const startMisbehavingProvider = async (clientId = 'platform', clientSecret = 'secret') => {
  const requests: Endpoint[] = [];
  const server = createServer(async (req, res) => {
    const url = new URL(req.url ?? '/', state.issuer);
    if (url.pathname === '/authorize') return authorize(state, url, res);
    const endpoint = PATHS[url.pathname];
    if (endpoint === undefined) return reply(res, { status: 404 });
    requests.push(endpoint);
    const response = state.misbehaviour.responses?.[endpoint];
    if (typeof response === 'string') return FAULTS[response](res);
    const isLate = response !== undefined && 'until' in response;
    if (isLate) await response.until;
    return reply(res, isLate || !response ? await ENDPOINTS[endpoint](state, req) : response);
  });
  const signer = await createTokenSigner(clientSecret);
  const { port, close } = await listenLocally(server);
  const person = { sub: randomUUID(), email: 'person@example.com', email_verified: true };
  const issuer = `http://127.0.0.1:${port}`;
  const state: State = { issuer, clientId, signer, person, authorizations: new Map(), misbehaviour: {} };

  return {
    issuer,
    clientId,
    clientSecret,
    /** The genuine discovery document, from which tests derive a wrong one. */
    discovery: describeProvider(issuer),
    /** The person of all ID tokens; change it with `claims`. */
    person,
    /** The endpoints that were requested, in order. */
    requests,
    /** Replaces the misbehaviour. Without an argument, the provider behaves correctly. */
    misbehave: (misbehaviour: Misbehaviour = {}): void => {
      state.misbehaviour = misbehaviour;
    },
    /**
     * Creates a logout token for `person`, which the test sends, possibly twice. Undefined claims are
     * omitted.
     */
    createLogoutToken: (claims: Claims = {}, signature?: Signature) =>
      createLogoutToken(state, claims, signature),
    stop: close,
  };
};
