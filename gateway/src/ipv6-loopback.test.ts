import { startService } from '@platform/shared/testing/process';
import { expect } from 'chai';
import { getUnreachableUrl } from '../testing/fake-upstream.ts';

describe('gateway in development', () => {
  it('responds at [::1], too, which is the first address of localhost for some clients', async () => {
    const gateway = startService('gateway', {
      ...{
        NODE_ENV: 'development',
        GATEWAY_PORT: '0',
        GATEWAY_OPS_PORT: '0',
        DRAIN_SECONDS: '0',
        PAGES: 'off',
      },
      AUTH_SERVICE_URLS: await getUnreachableUrl(),
      ADMIN_SERVICE_URLS: await getUnreachableUrl(),
    });
    try {
      const { port } = new URL((await gateway.listening()).url);
      expect((await fetch(`http://[::1]:${port}/healthz`)).status).to.equal(200);
    } finally {
      await gateway.stop();
    }
  });
});
