import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenLocally } from '@platform/shared/testing/local-server';
import { createTokenSigner, type Signature } from './provider-tokens.ts';

type Endpoint = 'discovery' | 'keys' | 'token' | 'userinfo';
type Claims = Record<string, unknown>;
type Reply = { status?: number; headers?: Record<string, string>; body?: object | string };

type Misbehaviour = {
  /** An endpoint that does not respond as it should. */
  responses?: Partial<Record<Endpoint, keyof typeof FAULTS | Reply>>;
  /** Claims of ID tokens, added or replaced; undefined ones are left out. */
  claims?: Claims;
  /** How ID tokens are signed. */
  signature?: Signature;
  /** Claims of userinfo responses, added or replaced. */
  userinfo?: Claims;
  /** Parameters of the callback URL, added or replaced; undefined ones are left out. */
  callback?: Record<string, string | undefined>;
};

const hugeBytes = 64 * 1_024 * 1_024;
const chunk = ' '.repeat(64 * 1_024);

/** Valid JSON after 64 MiB of spaces. */
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

/** A byte every 200 ms, without an end. */
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

const epochSeconds = (): number => Math.floor(Date.now() / 1_000);

/**
 * A provider on loopback that signs everyone in without a page, and does what the real one does not do. It does not check
 * the client, the redirect URI or PKCE.
 */
export const startMisbehavingProvider = async (clientId = 'platform', clientSecret = 'secret') => {
  let misbehaviour: Misbehaviour = {};
  const nonces = new Map<string, string | undefined>();
  const requests: Endpoint[] = [];
  const signer = await createTokenSigner(clientSecret);
  const person = { sub: randomUUID(), email: 'person@example.com', email_verified: true };

  const toClaims = (claims: Claims): Claims => {
    const now = epochSeconds();
    return { iss: issuer, aud: clientId, iat: now, exp: now + 300, ...claims };
  };

  const authorize = ({ searchParams }: URL, res: ServerResponse): void => {
    const code = randomUUID();
    nonces.set(code, searchParams.get('nonce') ?? undefined);
    const callbackUrl = new URL(searchParams.get('redirect_uri') ?? '');
    const parameters = { code, state: searchParams.get('state') ?? undefined, iss: issuer };
    for (const [name, value] of Object.entries({ ...parameters, ...misbehaviour.callback }))
      if (value !== undefined) callbackUrl.searchParams.append(name, value);
    res.writeHead(303, { location: callbackUrl.href }).end();
  };

  const redeem = async (req: IncomingMessage): Promise<Reply> => {
    const code = new URLSearchParams(await text(req)).get('code') ?? '';
    if (!nonces.has(code)) return { status: 400, body: { error: 'invalid_grant' } };
    const claims = toClaims({ ...person, nonce: nonces.get(code), ...misbehaviour.claims });
    nonces.delete(code);
    const id_token = await signer.sign(claims, misbehaviour.signature);
    return { body: { access_token: randomUUID(), token_type: 'Bearer', expires_in: 300, id_token } };
  };

  const endpoints: Record<Endpoint, (req: IncomingMessage) => Promise<Reply> | Reply> = {
    discovery: () => ({ body: discovery }),
    keys: () => ({ body: { keys: [signer.publicKey] } }),
    token: redeem,
    userinfo: () => ({ body: { ...person, ...misbehaviour.claims, ...misbehaviour.userinfo } }),
  };

  const server = createServer(async (req, res) => {
    const url = new URL(req.url ?? '/', issuer);
    if (url.pathname === '/authorize') return authorize(url, res);
    const endpoint = PATHS[url.pathname];
    if (endpoint === undefined) return reply(res, { status: 404 });
    requests.push(endpoint);
    const response = misbehaviour.responses?.[endpoint];
    if (typeof response === 'string') return FAULTS[response](res);
    return reply(res, response ?? (await endpoints[endpoint](req)));
  });
  const { port, close } = await listenLocally(server);
  const issuer = `http://127.0.0.1:${port}`;
  const discovery = describeProvider(issuer);

  return {
    issuer,
    clientId,
    clientSecret,
    /** The genuine discovery document, to derive a wrong one from. */
    discovery,
    /** The person of all ID tokens; change it with `claims`. */
    person,
    /** The endpoints that were requested, in order. */
    requests,
    /** Replaces the misbehaviour; without an argument, the provider behaves. */
    misbehave: (next: Misbehaviour = {}): void => {
      misbehaviour = next;
    },
    /** A logout token for `person`; undefined claims are left out. Sending it, also twice, is up to the test. */
    createLogoutToken: (claims: Claims = {}, signature?: Signature): Promise<string> =>
      signer.sign(
        toClaims({
          sub: person.sub,
          jti: randomUUID(),
          events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
          ...claims,
        }),
        signature,
        'logout+jwt',
      ),
    stop: close,
  };
};
