import { uniqueFingerprint } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { newPerson, redirectTo, useProvider, visit } from '../../testing/provider.ts';

describe('provider that hangs', () => {
  const provider = useProvider();
  const service = useAuthService(() => provider().settings);

  it('delays five requests of a network; a sixth fails before them', async () => {
    const client = service().as('customer');
    const device = await service().as('customer').createDevice();
    const prepared: (() => Promise<HttpResponse>)[] = [];
    for (const _ of Array(6).keys()) {
      const fingerprint = uniqueFingerprint();
      const callbackUrl = await visit(
        await client.oidcAuthorize({ provider: 'company', fingerprint, body: redirectTo('company') }),
      );
      prepared.push(() => client.oidcSignIn({ fingerprint, provider: 'company', body: { callbackUrl } }));
    }
    provider().misbehave({ responses: { token: 'hangs' } });
    const requests = provider().requests.length;
    let ended = 0;
    const signIns = prepared.map(async (signIn) => {
      const response = await signIn();
      ended += 1;
      return response;
    });
    expectError(await Promise.race(signIns), 503, 'OIDC_PROVIDER_UNAVAILABLE');
    expect((await service().as('customer').me(device)).status).to.equal(200);
    expect(ended).to.equal(1);
    await Promise.all(signIns);
    expect(provider().requests.slice(requests)).to.deep.equal(Array(5).fill('token'));
  });

  for (const [endpoint, fault] of [
    ['token', 'hangs'],
    ['keys', 'sends a byte at a time'],
    ['discovery', 'hangs'],
  ] as const)
    it(`is unavailable within 5 s when ${endpoint} ${fault}, while passwords sign in`, async () => {
      const id = { token: 'open', keys: 'closed', discovery: 'clients' }[endpoint];
      const client = service().as('customer');
      const fingerprint = uniqueFingerprint();
      provider().misbehave({ claims: newPerson() });
      const callbackUrl =
        endpoint === 'discovery'
          ? ''
          : await visit(await client.oidcAuthorize({ provider: id, fingerprint, body: redirectTo(id) }));
      provider().misbehave({ claims: newPerson(), responses: { [endpoint]: fault } });
      const waiting =
        endpoint === 'discovery'
          ? client.oidcAuthorize({ provider: id, fingerprint, body: redirectTo(id) })
          : client.oidcSignIn({ fingerprint, provider: id, body: { callbackUrl } });
      await service().as('customer').createDevice();
      const response = await waiting;
      expectError(response, 503, 'OIDC_PROVIDER_UNAVAILABLE');
      expect(response.milliseconds).to.be.within(4_400, 5_000);
    });
});
