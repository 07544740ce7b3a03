import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import {
  createProviderClient,
  newPerson,
  useProviderService,
  visit,
} from '../../testing/provider-service.ts';

describe('provider that hangs', () => {
  const service = useProviderService();

  it('delays five requests of a network; a sixth fails before them', async () => {
    const client = createProviderClient(service(), CUSTOMER);
    const device = await service().client(CUSTOMER).createDevice();
    const prepared: (() => Promise<HttpResponse>)[] = [];
    for (const _ of Array(6).keys()) {
      const fingerprint = uniqueFingerprint();
      const callbackUrl = await visit(await client.authorize('company', fingerprint));
      prepared.push(() => client.signIn('company', callbackUrl, { fingerprint }));
    }
    service().provider.misbehave({ responses: { token: 'hangs' } });
    const requests = service().provider.requests.length;
    let ended = 0;
    const signIns = prepared.map(async (signIn) => {
      const response = await signIn();
      ended += 1;
      return response;
    });
    expectError(await Promise.race(signIns), 503, 'OIDC_PROVIDER_UNAVAILABLE');
    expect((await service().client(CUSTOMER).me(device)).status).to.equal(200);
    expect(ended).to.equal(1);
    await Promise.all(signIns);
    expect(service().provider.requests.slice(requests)).to.deep.equal(Array(5).fill('token'));
  });

  for (const [endpoint, fault] of [
    ['token', 'hangs'],
    ['keys', 'sends a byte at a time'],
    ['discovery', 'hangs'],
  ] as const)
    it(`is unavailable within 5 s when ${endpoint} ${fault}, while passwords sign in`, async () => {
      const id = { token: 'open', keys: 'closed', discovery: 'clients' }[endpoint];
      const client = createProviderClient(service(), CUSTOMER);
      const fingerprint = uniqueFingerprint();
      service().provider.misbehave({ claims: newPerson() });
      const callbackUrl =
        endpoint === 'discovery' ? '' : await visit(await client.authorize(id, fingerprint));
      service().provider.misbehave({ claims: newPerson(), responses: { [endpoint]: fault } });
      const waiting =
        endpoint === 'discovery'
          ? client.authorize(id, fingerprint)
          : client.signIn(id, callbackUrl, { fingerprint });
      await service().client(CUSTOMER).createDevice();
      const response = await waiting;
      expectError(response, 503, 'OIDC_PROVIDER_UNAVAILABLE');
      expect(response.milliseconds).to.be.within(4_400, 5_000);
    });
});
