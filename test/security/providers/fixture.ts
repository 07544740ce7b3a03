import { randomUUID } from 'node:crypto';
import { startOidcProvider } from '@platform/dev/oidc-provider/oidc-provider';
import { startMisbehavingProvider } from '@platform/dev/testing/misbehaving-provider';
import { type AccountKind, CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { createOidcClient, type OidcClient, REDIRECT_URI, toOidcSettings } from '../../oidc-client.ts';
import type { Fixture } from '../fixture.ts';

/** A redirect URI of production, for look-alikes. */
export const PUBLIC_REDIRECT_URI = 'https://app.example.com/callback';

/** It may vouch for the addresses of the tests. */
const SETTINGS = { DOMAINS: 'example.com', KINDS: 'customers,employees,administrators' };

/** `company` is a real provider, `rogue` sends whatever is forged, and `social` may vouch for no domain. */
export const startProviders = async () => {
  const client = { clientId: 'platform', clientSecret: 'secret' };
  const [company, rogue, social] = await Promise.all([
    startOidcProvider({ clients: [client], people: [] }),
    startMisbehavingProvider(),
    startMisbehavingProvider(),
  ]);
  return {
    ...{ company, rogue, social },
    environment: {
      ...toOidcSettings({
        company: { provider: { ...company, ...client }, settings: SETTINGS },
        rogue: { provider: rogue, settings: SETTINGS },
        social: { provider: social, settings: { KINDS: 'customers' } },
      }),
      OIDC_REDIRECT_URIS: `${REDIRECT_URI},${PUBLIC_REDIRECT_URI}`,
    },
    /** A new person at the real provider, who has verified the address. */
    addPerson: (email = uniqueEmail()): string => {
      company.people.set(email, { sub: email, email, emailVerified: true });
      return email;
    },
    stop: () => Promise.all([company, rogue, social].map(({ stop }) => stop())),
  };
};

export type Providers = Awaited<ReturnType<typeof startProviders>>;
export type ProviderFixture = Fixture & { providers: Providers; oidc: OidcClient };

export const withKind = (fixture: Fixture, kind: AccountKind): OidcClient =>
  createOidcClient(kind, (request) => fixture.send(request.path, request));

/** The clients are those of customers, unless a test names another kind. */
export const withProviders = (fixture: Fixture, providers: Providers): ProviderFixture => ({
  ...fixture,
  providers,
  oidc: withKind(fixture, CUSTOMER),
});

/** A sign-in that has returned from the provider to a new device. */
export const openFlow = async ({ oidc }: ProviderFixture, provider = 'rogue', sub = '') => {
  const fingerprint = uniqueFingerprint();
  return { fingerprint, callbackUrl: await oidc.getCallback(provider, fingerprint, sub) };
};

/** The callback URL with other parameters; undefined ones are left out. */
export const replaceParameters = (
  callbackUrl: string,
  parameters: Record<string, string | undefined>,
): string => {
  const url = new URL(callbackUrl);
  for (const [name, value] of Object.entries(parameters))
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  return url.href;
};

export const readParameter = (callbackUrl: string, name: string): string =>
  new URL(callbackUrl).searchParams.get(name) ?? '';

type Person = { sub?: string; email?: string | undefined; email_verified?: unknown; amr?: string[] };

/** Signs in as the person that the provider confirms. */
export const createClaimant =
  (fixture: ProviderFixture) =>
  async (person: Person, provider: 'rogue' | 'social' = 'rogue', kind: AccountKind = CUSTOMER) => {
    fixture.providers[provider].misbehave({
      claims: { sub: randomUUID(), email_verified: true, ...person },
      userinfo: person,
    });
    const response = await withKind(fixture, kind).signInAs(provider);
    fixture.providers[provider].misbehave();
    return response;
  };
