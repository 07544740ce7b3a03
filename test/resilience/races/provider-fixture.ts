import { startOidcProvider } from '@platform/dev/oidc-provider/oidc-provider';
import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { getCallback, toOidcSettings } from '../../provider-sign-in.ts';
import type { Check, RaceFixture } from './fixture.ts';

export const COMPANY = 'company';

/** Starts a real provider, which may vouch for the addresses of the tests. */
export const startProvider = async () => {
  const client = { clientId: 'platform', clientSecret: 'secret' };
  const { issuer, people, stop } = await startOidcProvider({
    clients: [client],
    people: [],
  });
  const configured = { provider: { issuer, ...client }, settings: { DOMAINS: 'example.com' } };
  return {
    issuer,
    configured,
    environment: toOidcSettings({ [COMPANY]: configured }),
    /** Adds a person. The `sub` is the address. */
    addPerson: (): string => {
      const email = uniqueEmail();
      people.set(email, { sub: email, email, emailVerified: true });
      return email;
    },
    stop,
  };
};

export type ProviderRaceFixture = RaceFixture & {
  provider: Awaited<ReturnType<typeof startProvider>>;
};

export const withProvider = (
  fixture: RaceFixture,
  provider: ProviderRaceFixture['provider'],
): ProviderRaceFixture => ({ ...fixture, provider });

/** A sign-in that the provider has sent back to a new device. */
type Flow = { fingerprint: string; callbackUrl: string };

export const openFlow = async ({ client }: ProviderRaceFixture, sub: string): Promise<Flow> => {
  const fingerprint = uniqueFingerprint();
  return { fingerprint, callbackUrl: await getCallback(client(CUSTOMER), COMPANY, fingerprint, sub) };
};

export const completeFlow = (
  { client }: ProviderRaceFixture,
  { fingerprint, callbackUrl }: Flow,
): Promise<HttpResponse> =>
  client(CUSTOMER).oidcSignIn({ provider: COMPANY, fingerprint, body: { callbackUrl } });

export const getUserId = ({ body }: HttpResponse): string => String(body.user?.id);

export const checkSuccess = (check: Check, name: string, response: HttpResponse, status = 200): void =>
  check(response.status === status, name, formatStatus(response));

const ACCOUNT = `
  select count(distinct u.id) || ' users, ' || count(distinct c.id) || ' profiles, ' || count(distinct i.id) || ' identities, '
    || count(distinct s.id) || ' sessions, ' || count(distinct t.id) || ' token records' as found
  from users u left join customer_profiles c on c.user_id = u.id left join identities i on i.user_id = u.id
  left join sessions s on s.user_id = u.id left join token_records t on t.user_id = u.id where u.email = $1`;

export const checkOneAccount = async (
  { records }: RaceFixture,
  check: Check,
  email: string,
  sessions: number,
): Promise<void> => {
  const [row] = await records.query<{ found: string }>(ACCOUNT, [email]);
  const expected = `1 users, 1 profiles, 1 identities, ${sessions} sessions, ${sessions} token records`;
  check(row?.found === expected, `the address has ${expected}`, row?.found);
};
