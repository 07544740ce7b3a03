import { ACCOUNT_KINDS, type AccountKind, ADMINISTRATOR } from '@platform/shared/testing/auth-client';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import type { Check, Probe, Section } from '../probe.ts';

/** The domain is reserved (RFC 2606), so no deployment lists it. */
const FOREIGN_URIS = ['https://check-deployed.invalid/', 'http://localhost.check-deployed.invalid/'];
const KINDS = [...ACCOUNT_KINDS, ADMINISTRATOR];

/** The ids of the providers of these kinds. */
export const listProviders = async (probe: Probe, ...kinds: AccountKind[]): Promise<string[]> => {
  const ids: string[] = [];
  for (const { path } of kinds) {
    const response = await probe.call({ path: `${path}/oidc/providers` });
    probe.expect(response, 200);
    ids.push(...(response.body?.data ?? []).map(({ id }: { id: string }) => id));
  }
  return ids.length > 0 ? ids : probe.skip('no provider is configured');
};

/** An address that a frontend may have. */
export const toRedirectUri = (origin: string | undefined, { skip }: Probe): string =>
  `${origin ?? skip('give the origin of a frontend with --origin')}/callback`;

const FRESH: Record<string, RegExp> = {
  code_challenge: /^[\w-]{43}$/,
  state: /^[\w-]{22,}$/,
  nonce: /^[\w-]{22,}$/,
};

/** The address of the provider: authorization code flow with PKCE (RFC 7636), state and nonce. Returns the fresh parameters. */
export const checkAuthorization = (probe: Probe, response: HttpResponse, redirectUri: string): string[] => {
  const isForeign = response.body?.details?.some(
    ({ path }: { path: string }) => path === '/body/redirectUri',
  );
  if (isForeign) probe.skip(`OIDC_REDIRECT_URIS does not list ${redirectUri}`);
  probe.expect(response, 200);
  const url = URL.parse(String(response.body?.authorizationUrl));
  const expected = {
    ...FRESH,
    code_challenge_method: /^S256$/,
    response_type: /^code$/,
    scope: /\bopenid\b/,
  };
  const get = (name: string) => url?.searchParams.get(name) ?? '';
  for (const [name, pattern] of Object.entries(expected))
    probe.check(pattern.test(get(name)), `the address of the provider has no valid ${name}`, response);
  probe.check(get('redirect_uri') === redirectUri, 'the address returns to another one', response);
  return Object.keys(FRESH).map(get);
};

const authorizeAt = (probe: Probe, { path }: AccountKind, id: string, redirectUri: string) =>
  probe.call({
    method: 'POST',
    path: `${path}/oidc/${id}/authorize`,
    headers: { 'X-Fingerprint': 'check-deployed' },
    body: { redirectUri },
  });

const foreignAddressCheck = (kind: AccountKind): Check => ({
  name: `providers: none of ${kind.plural} returns to a foreign address`,
  run: async (probe) => {
    for (const id of await listProviders(probe, kind))
      for (const uri of FOREIGN_URIS)
        probe.expect(await authorizeAt(probe, kind, id, uri), 400, 'VALIDATION_FAILED', '/body/redirectUri');
  },
});

const addressCheck = (kind: AccountKind, origin: string | undefined): Check => ({
  name: `providers: the sign-in of ${kind.plural} uses PKCE, with fresh values each time`,
  operations: new RegExp(`^${kind.kind}OidcAuthorize$`),
  run: async (probe) => {
    const redirectUri = toRedirectUri(origin, probe);
    for (const id of await listProviders(probe, kind)) {
      const responses = [
        await authorizeAt(probe, kind, id, redirectUri),
        await authorizeAt(probe, kind, id, redirectUri),
      ];
      const values = responses.flatMap((response) => checkAuthorization(probe, response, redirectUri));
      probe.check(new Set(values).size === values.length, 'a value is repeated', responses[1]);
    }
  },
});

const logoutCheck: Check = {
  name: 'back-channel logout: a token without a signature of the provider ends nothing',
  run: async (probe) => {
    for (const id of new Set(await listProviders(probe, ...KINDS))) {
      const response = await probe.call({
        method: 'POST',
        path: `/api/v1/auth/oidc/${id}/backchannel-logout`,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'logout_token=check-deployed',
      });
      probe.expect(response, 400, 'VALIDATION_FAILED');
    }
  },
};

export const providerSection = (origin: string | undefined): Section => ({
  title: 'Sign-in with a provider',
  checks: () => [
    ...KINDS.flatMap((kind) => [foreignAddressCheck(kind), addressCheck(kind, origin)]),
    logoutCheck,
  ],
});
