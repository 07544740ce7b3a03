import { ACCOUNT_KINDS, ALL_KINDS } from '@platform/shared/testing/auth-client';
import { expect } from 'chai';
import { describeEachKind, useAuthService } from '../../testing/auth-service.ts';
import { useProvider } from '../../testing/provider.ts';

describe('methods of signing in', () => {
  const provider = useProvider();
  const service = useAuthService(() => provider().settings);

  describeEachKind(ALL_KINDS, service, (client, kind) => {
    it('are what the platform offers, and may be stored for a minute', async () => {
      const { status, body, headers } = await client().signInMethods({});
      expect(status).to.equal(200);
      expect(headers['cache-control']).to.equal('public, max-age=60');
      const { methods, staySignedIn, providers } = body;
      expect(methods).to.include.members(['password', 'passkey']);
      expect(staySignedIn).to.equal(ACCOUNT_KINDS.includes(kind));
      expect(providers).to.deep.equal((await client().oidcProviders({})).body.data);
      expect(providers).not.to.deep.equal([]);
    });
  });
});

describe('methods of signing in without passkeys', () => {
  const service = useAuthService({ NODE_ENV: 'production', BCRYPT_COST: '10' });

  it('do not name them', async () => {
    const { methods, providers } = (await service().as('customer').signInMethods({})).body;
    expect(methods).not.to.include('passkey');
    expect(providers).to.deep.equal([]);
  });
});
