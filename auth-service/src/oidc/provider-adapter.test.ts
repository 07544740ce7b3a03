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
const request = {
  redirectUri: 'http://localhost/',
  state: 'state',
  nonce: 'nonce',
  verifier: 'verifier',
  maxAgeSeconds: 300,
  loginHint: undefined,
};

describe('provider metrics', () => {
  it('count calls by purpose, and calls that were not tried because too many wait', async () => {
    const metrics = createMetrics('auth-service');
    const count = createProviderMetrics(metrics, ['company']);
    const client = createProviderClient({ provider, onError: () => undefined, count });
    const codes: unknown[] = [];
    const fail = (error: { code: string }) => codes.push(error.code);
    const from = { address: '192.0.2.1' };
    await client.createAuthorizationUrl(request, from).catch(fail);
    await client.verifyLogoutToken('token', from).catch(fail);
    const exchange = () => client.exchangeCode('http://localhost/?code=code', request, from).catch(fail);
    await Promise.all(Array.from({ length: 6 }, exchange));
    expect(codes).to.deep.equal(Array(8).fill('OIDC_PROVIDER_UNAVAILABLE'));
    const counted = [
      ...(await metrics.render()).matchAll(
        /^oidc_provider_calls_total{.*call="(\w+)",outcome="(\w+)".*} ([1-9])$/gm,
      ),
    ];
    expect(counted.map(([, ...values]) => values.join(' '))).to.have.members([
      'authorization unavailable 1',
      'logout unavailable 1',
      'code unavailable 5',
      'code paused 1',
    ]);
  });
});
