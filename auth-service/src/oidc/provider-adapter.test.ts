import { createMetrics } from '@platform/shared/metrics/metrics';
import { expect } from 'chai';
import { createProviderClient, createProviderMetrics } from './provider-adapter.ts';

/** A provider at an address where nothing listens. */
const provider = {
  id: 'company',
  name: 'Company',
  issuer: 'http://127.0.0.1:1',
  clientId: 'platform',
  clientSecret: 'secret',
  scopes: 'openid',
  kinds: [],
  allowsSignUp: true,
  domains: [],
  verifiesSecondFactor: false,
};
const request = { redirectUri: 'http://localhost/', state: 'state', nonce: 'nonce', verifier: 'verifier' };

describe('metrics of a provider', () => {
  it('count what it was needed for, and what was not tried while the circuit is open', async () => {
    const metrics = createMetrics('auth-service');
    const count = createProviderMetrics(metrics, ['company']);
    const client = createProviderClient({ provider, onError: () => undefined, count });
    const codes: unknown[] = [];
    const fail = (error: { code: string }) => codes.push(error.code);
    for (const call of [
      () => client.createAuthorizationUrl(request),
      () => client.verifyLogoutToken('token'),
      ...Array(3).fill(() => client.exchangeCode('http://localhost/?code=code', request)),
    ])
      await call().catch(fail);
    expect(codes).to.deep.equal(Array(5).fill('OIDC_PROVIDER_UNAVAILABLE'));
    const counted = [
      ...(await metrics.render()).matchAll(
        /^oidc_provider_calls_total{.*call="(\w+)",outcome="(\w+)".*} ([1-9])$/gm,
      ),
    ];
    expect(counted.map(([, ...values]) => values.join(' '))).to.have.members([
      'authorization unavailable 1',
      'logout unavailable 1',
      'code unavailable 2',
      'code paused 1',
    ]);
  });
});
