import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenLocally } from '@platform/shared/testing/local-server';

const reply = (res: ServerResponse, status: number, body: object): void =>
  void res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/**
 * Starts a provider that redirects everyone to another provider, and keeps the codes that the platform sends it
 * (RFC 9700, 4.4). It does not announce `iss`.
 */
export const startMaliciousProvider = async () => {
  const codes: string[] = [];
  let target = new URL('http://127.0.0.1/');
  const server = createServer(async (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', issuer);
    if (pathname === '/.well-known/openid-configuration')
      return reply(res, 200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      });
    if (pathname === '/authorize') {
      const address = new URL(target);
      address.searchParams.set('state', searchParams.get('state') ?? '');
      return void res.writeHead(303, { location: address.href }).end();
    }
    codes.push(...new URLSearchParams(await text(req)).getAll('code'));
    return reply(res, 400, { error: 'invalid_grant' });
  });
  const { port, close } = await listenLocally(server);
  const issuer = `http://127.0.0.1:${port}`;

  return {
    issuer,
    /** The codes that it has received. */
    codes,
    /** Redirects to this address of the other provider, with the state of the person who comes. */
    redirectTo: (authorizationUrl: URL): void => {
      target = authorizationUrl;
    },
    stop: close,
  };
};
