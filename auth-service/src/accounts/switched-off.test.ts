import { ACCOUNT_KINDS, CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { composeAuthService, useAuthService } from '../../testing/auth-service.ts';
import { newPerson, redirectTo, useProvider } from '../../testing/provider.ts';

describe('sign-up while it is switched off', () => {
  const provider = useProvider();
  const service = useAuthService(() => ({ SIGN_UP: 'off', ...provider().settings }));

  for (const kind of ACCOUNT_KINDS)
    it(`returns 503 with Retry-After for a new ${kind.kind}, with a password or a provider`, async () => {
      const client = service().as(kind);
      const body = { email: uniqueEmail(), password: PASSWORD };
      const responses = [
        await client.signUp({ body }),
        await provider().signInWith(client, 'company', newPerson(body.email)),
      ];
      for (const response of responses) {
        expectError(response, 503, 'SERVICE_UNAVAILABLE');
        expect(response.headers).to.include({ 'retry-after': '300' });
      }
      const found = await service().records.query('select 1 from users where email = $1', [body.email]);
      expect(found).to.deep.equal([]);
    });

  it('lets everybody else sign in, also with a provider that they use for the first time', async () => {
    const client = service().as(CUSTOMER);
    const { email } = await service().records.user(['CUSTOMER'], { isEmailVerified: true });
    await client.openDevice({ email, password: PASSWORD });
    expect((await provider().signInWith(client, 'company', newPerson(email))).status).to.equal(200);
  });
});

describe('a provider that leaves OIDC_PROVIDERS', () => {
  const provider = useProvider();
  const service = useAuthService(() => provider().settings);

  it('signs nobody in any more, and its sessions go on', async () => {
    const client = service().as(CUSTOMER);
    const person = newPerson();
    const device = client.toDevice(await provider().signInWith(client, 'company', person));
    const { OIDC_PROVIDERS: _company, ...others } = service().environment;
    const later = await composeAuthService(service().databaseUrl, { ...others, OIDC_PROVIDERS: 'open' });
    try {
      const laterClient = later.as(CUSTOMER);
      const { fingerprint } = device;
      const body = redirectTo('company');
      expectError(
        await laterClient.oidcAuthorize({ provider: 'company', fingerprint, body }),
        404,
        'PROVIDER_NOT_FOUND',
      );
      const { providers } = (await laterClient.signInMethods({})).body;
      expect(providers.map(({ name }: { name: string }) => name)).to.deep.equal(['open']);
      await laterClient.expectSignedIn(device);
    } finally {
      await later.stop();
    }
  });
});
