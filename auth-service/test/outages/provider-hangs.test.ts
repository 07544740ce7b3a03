import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { createProviderClient, newPerson, useProviderService, visit } from '../oidc/provider-service.ts';

describe('provider that hangs', () => {
  const service = useProviderService();

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
