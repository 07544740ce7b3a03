import { ACCOUNT_KINDS, type AccountKind, ADMINISTRATOR } from '@platform/shared/testing/auth-client';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import type { Checks, Probe, Section } from '../probe.ts';

/** The domain is reserved (RFC 2606), so no deployment lists it. */
const FOREIGN_URIS = ['https://check-deployed.invalid/', 'http://localhost.check-deployed.invalid/'];
const KINDS = [...ACCOUNT_KINDS, ADMINISTRATOR];

/** The ids of the providers of these kinds. */
export const listProviders = async (
  { call, expect, skip }: Probe,
  ...kinds: AccountKind[]
): Promise<string[]> => {
  const ids = new Set<string>();
  for (const { path } of kinds)
    for (const { id } of (await expect(call({ path: `${path}/oidc/providers` }), 200)).body.data) ids.add(id);
  return ids.size > 0 ? [...ids] : skip('no provider is configured');
};

const PARAMETERS: Record<string, RegExp> = {
  code_challenge: /^[\w-]{43}$/,
  state: /^[\w-]{22,}$/,
  nonce: /^[\w-]{22,}$/,
  code_challenge_method: /^S256$/,
  response_type: /^code$/,
  scope: /\bopenid\b/,
};

/**
 * Checks the address of the provider: authorization code flow with PKCE (RFC 7636), state and nonce. Returns
 * the parameters that must be new each time.
 */
export const checkAuthorization = async (
  { check, expect, skip }: Probe,
  response: HttpResponse,
  redirectUri: string,
): Promise<string[]> => {
  const isForeign = ({ path }: { path: string }) => path === '/body/redirectUri';
  if (response.body?.details?.some(isForeign)) skip(`OIDC_REDIRECT_URIS does not list ${redirectUri}`);
  await expect(response, 200);
  const url = URL.parse(response.body.authorizationUrl);
  const get = (name: string) => url?.searchParams.get(name) ?? '';
  for (const [name, pattern] of Object.entries(PARAMETERS))
    check(pattern.test(get(name)), `the address of the provider has no valid ${name}`, response);
  check(get('redirect_uri') === redirectUri, 'the address returns to another one', response);
  return ['code_challenge', 'state', 'nonce'].map(get);
};

/** With several providers, the address names the provider. */
export const toRedirectUri = ({ getOrigin }: Probe, id: string): string => `${getOrigin()}/callback/${id}`;

const authorizeAt = ({ call }: Probe, { path }: AccountKind, id: string, redirectUri: string) =>
  call({
    method: 'POST',
    path: `${path}/oidc/${id}/authorize`,
    headers: { 'X-Fingerprint': 'check-deployed' },
    body: { redirectUri },
  });

const addressChecks = (kind: AccountKind): Checks => ({
  async [`providers: none of ${kind.plural} returns to a foreign address`](probe) {
    for (const id of await listProviders(probe, kind))
      for (const uri of FOREIGN_URIS) {
        const response = authorizeAt(probe, kind, id, uri);
        await probe.expect(response, 400, 'VALIDATION_FAILED', '/body/redirectUri');
      }
  },
  async [`providers: of several, none of ${kind.plural} returns to the address of another one`](probe) {
    const ids = await listProviders(probe, kind);
    for (const id of ids)
      for (const other of ids.filter((each) => each !== id)) {
        const response = authorizeAt(probe, kind, id, toRedirectUri(probe, other));
        await probe.expect(response, 400, 'VALIDATION_FAILED', '/body/redirectUri');
      }
  },
  async [`providers: the sign-in of ${kind.plural} uses PKCE, with fresh values each time`](probe) {
    probe.covers(new RegExp(`^${kind.kind}OidcAuthorize$`));
    for (const id of await listProviders(probe, kind)) {
      const redirectUri = toRedirectUri(probe, id);
      const authorize = async () =>
        checkAuthorization(probe, await authorizeAt(probe, kind, id, redirectUri), redirectUri);
      const values = [...(await authorize()), ...(await authorize())];
      probe.check(new Set(values).size === values.length, `${id}: a value is repeated`);
    }
  },
});

const logoutCheck: Checks = {
  async 'back-channel logout: a token without a signature of the provider ends nothing'(probe) {
    for (const id of await listProviders(probe, ...KINDS)) {
      const path = `/api/v1/auth/oidc/${id}/backchannel-logout`;
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const body = 'logout_token=check-deployed';
      await probe.expect(probe.call({ method: 'POST', path, headers, body }), 400, 'VALIDATION_FAILED');
    }
  },
};

export const providerSection: Section = {
  title: 'Sign-in with a provider',
  checks: () => [...KINDS.map(addressChecks), logoutCheck],
};
