import { startOidcProvider } from '@platform/dev/oidc-provider/oidc-provider';
import { openProviderBrowser } from '@platform/dev/testing/provider-browser';
import { CONFIRMATION, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { useRunning } from '@platform/shared/testing/use-running';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { startMaliciousProvider } from '../../testing/malicious-provider.ts';
import { redirectUriOf, toProviderVariables } from '../../testing/provider.ts';
import type { Kind } from '../kinds.ts';

/** One address for all providers: a frontend uses it wherever the platform allows it. */
const SHARED_URI = 'http://localhost:5173/callback';
const CLIENT = { clientId: 'platform', clientSecret: 'secret' };

/** A sign-in or link of one person, who has begun it in the frontend. */
type Flow = {
  authorizationUrl: URL;
  finish: (callbackUrl: string) => Promise<HttpResponse>;
};

const startProviders = (namesIssuer: boolean) => async () => {
  const redirectUris = [SHARED_URI, redirectUriOf('honest')];
  const honest = await startOidcProvider({ clients: [{ ...CLIENT, redirectUris }], people: [], namesIssuer });
  const malicious = await startMaliciousProvider();
  const common = { CLIENT_ID: CLIENT.clientId, CLIENT_SECRET: CLIENT.clientSecret };
  const kinds = { ...common, KINDS: 'customers,employees,administrators' };
  return {
    honest,
    malicious,
    settings: {
      OIDC_PROVIDERS: 'honest,malicious',
      ...toProviderVariables('honest', { ...kinds, ISSUER: honest.issuer, DOMAINS: 'example.com' }),
      ...toProviderVariables('malicious', { ...kinds, ISSUER: malicious.issuer }),
    },
    stop: () => Promise.all([honest.stop(), malicious.stop()]),
  };
};

for (const namesIssuer of [true, false])
  describe(`mix-up of providers, where the honest one ${namesIssuer ? 'sends' : 'does not send'} iss`, () => {
    const providers = useRunning(startProviders(namesIssuer));
    const service = useAuthService(() => providers().settings);

    /** Begins with the shared address if it is allowed, otherwise with the one of the provider. */
    const begin = async (
      provider: 'honest' | 'malicious',
      authorize: (body: { redirectUri: string }) => Promise<HttpResponse>,
      finish: Flow['finish'],
    ): Promise<Flow> => {
      const shared = await authorize({ redirectUri: SHARED_URI });
      const begun =
        shared.status === 200 ? shared : await authorize({ redirectUri: redirectUriOf(provider) });
      expect(begun.status, begun.text).to.equal(200);
      const authorizationUrl = new URL(begun.body.authorizationUrl);
      expect(authorizationUrl.origin).to.equal(providers()[provider].issuer);
      return { authorizationUrl, finish };
    };
    const beginSignIn = (kind: Kind) => (provider: 'honest' | 'malicious') => {
      const [client, fingerprint] = [service().as(kind), uniqueFingerprint()];
      return begin(
        provider,
        (body) => client.oidcAuthorize({ provider, fingerprint, body }),
        (callbackUrl) => client.oidcSignIn({ provider, fingerprint, body: { callbackUrl } }),
      );
    };
    const beginLink = async (provider: 'honest' | 'malicious') => {
      const client = service().as('customer');
      const { device } = await client.openVerifiedAccount();
      return await begin(
        provider,
        (body) => client.identityAuthorize({ ...device, provider, body: { ...body, ...CONFIRMATION } }),
        (callbackUrl) => client.identityLink({ ...device, identity: provider, body: { callbackUrl } }),
      );
    };
    const FLOWS = {
      'sign-in': { kind: 'customer', beginAt: beginSignIn('customer') },
      link: { kind: undefined, beginAt: beginLink },
      'other kind': { kind: 'employee', beginAt: beginSignIn('employee') },
      ADMIN: { kind: 'administrator', beginAt: beginSignIn('administrator') },
    } as const;

    /** A person at the honest provider, with an account of the kind. */
    const createPerson = async (kind: Kind | undefined): Promise<string> => {
      const { email } = kind ? await service().as(kind).createVerifiedAccount() : { email: uniqueEmail() };
      providers().honest.people.set(email, { sub: email, email, emailVerified: true });
      return email;
    };
    const count = async () => {
      const text =
        'select (select count(*) from sessions) sessions, (select count(*) from identities) identities';
      return (await service().records.query(text, []))[0];
    };

    for (const [name, { kind, beginAt }] of Object.entries(FLOWS)) {
      it(`${name}: works with the honest provider alone`, async () => {
        const flow = await beginAt('honest');
        const callbackUrl = await openProviderBrowser().signIn(
          flow.authorizationUrl.href,
          await createPerson(kind),
        );
        expect(new URL(callbackUrl).searchParams.has('iss')).to.equal(namesIssuer);
        const { status, text } = await flow.finish(callbackUrl);
        expect(status, text).to.be.within(200, 201);
      });

      for (const [victimName, victim] of Object.entries(FLOWS))
        it(`${name}: gets no code or session of a person who begins ${victimName} at the malicious one`, async () => {
          const { malicious } = providers();
          for (const redirectUri of [SHARED_URI, redirectUriOf('honest')]) {
            const person = await createPerson(kind);
            const attackersFlow = await beginAt('honest');
            const victimsFlow = await victim.beginAt('malicious');
            const before = await count();
            // The nonce and PKCE challenge are the attacker's, and the state is the victim's.
            const target = new URL(attackersFlow.authorizationUrl);
            target.searchParams.set('redirect_uri', redirectUri);
            malicious.redirectTo(target);
            const browser = openProviderBrowser();
            const redirected = await browser.signIn(victimsFlow.authorizationUrl.href, person);
            expect(new URL(redirected).origin).to.equal(providers().honest.issuer);
            const callbackUrl = new URL(await browser.signIn(redirected, person));
            expect(callbackUrl.searchParams.get('code')).to.be.a('string');
            const victimsResponse = await victimsFlow.finish(callbackUrl.href);
            const stolen = new URL(attackersFlow.authorizationUrl.searchParams.get('redirect_uri') ?? '');
            stolen.searchParams.set('code', malicious.codes.at(-1) ?? 'unknown');
            stolen.searchParams.set('state', attackersFlow.authorizationUrl.searchParams.get('state') ?? '');
            if (namesIssuer) stolen.searchParams.set('iss', providers().honest.issuer);
            const attackersResponse = await attackersFlow.finish(stolen.href);
            expect({
              codes: malicious.codes.splice(0).length,
              statuses: [victimsResponse.status, attackersResponse.status],
              found: await count(),
            }).to.deep.equal({ codes: 0, statuses: [401, 401], found: before });
          }
        });
    }

    it('gets no code at its own address, which the honest provider does not know', async () => {
      const target = new URL((await FLOWS['sign-in'].beginAt('honest')).authorizationUrl);
      target.searchParams.set('redirect_uri', redirectUriOf('malicious'));
      const signingIn = openProviderBrowser().signIn(target.href, await createPerson(undefined));
      const error = await signingIn.then(
        () => undefined,
        (failure: Error) => failure,
      );
      expect(error?.message).to.include('invalid_redirect_uri');
    });
  });
