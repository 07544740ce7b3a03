import { join } from 'node:path';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { expect } from 'chai';
import { reservePorts } from '../ports.ts';
import { superviseProcess } from '../supervisor.ts';
import { useTemporaryDirectory } from '../testing/temporary-directory.ts';
import { planCompanyProvider } from './company-provider.ts';

describe('development provider', () => {
  let provider: ReturnType<typeof superviseProcess> | undefined;
  const directory = useTemporaryDirectory(async () => {
    provider?.kill();
    await provider?.stop();
  });

  it('returns to this machine and to PUBLIC_URL, and to no other host', async () => {
    const { web } = await reservePorts({ web: { port: 0, host: '127.0.0.1' } });
    await web.release();
    const { plan, issuer, settings } = planCompanyProvider({
      port: web.port,
      gatewayUrl: 'http://127.0.0.1:9',
      logFile: join(directory.path, 'log'),
      env: { ...process.env, PUBLIC_URL: 'http://accounts.shop.test:3000' },
    });
    provider = superviseProcess(plan);
    await provider.start();
    const client = createHttpClient(issuer);
    const authorize = (redirectUri: string) => {
      const query = new URLSearchParams({
        client_id: settings['OIDC_COMPANY_CLIENT_ID'] ?? '',
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid',
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
      });
      return client.sendOrThrow({ path: `/auth?${query}` });
    };
    for (const origin of ['http://localhost:3000', 'http://accounts.shop.test:3000'])
      expect((await authorize(`${origin}/account/customer/callback/company`)).status, origin).to.equal(303);
    const refused = await authorize('http://evil.example/account/customer/callback/company');
    expect(refused.status).to.equal(400);
    expect(refused.text).to.include('invalid_redirect_uri');
    expect((await client.sendOrThrow({ path: '/', headers: { Host: 'evil.example' } })).status).to.equal(421);
  });
});
