import { expect } from 'chai';
import { PROCESSES, runCleanup, scrape } from './scrape.ts';
import { usePlatform } from './use-platform.ts';

describe('metrics of the running processes', () => {
  const platform = usePlatform();
  before('send requests and run the cleanup', async () => {
    for (const path of ['/api/v1', '/api/v1/auth/me']) await fetch(platform().gatewayUrl + path);
    await runCleanup(platform().stack);
  });

  it('no label has a value that clients choose', async () => {
    await fetch(`${platform().gatewayUrl}/api/v1/chosen-by-a-client`, { method: 'DELETE' });
    for (const key of PROCESSES) {
      const text = JSON.stringify((await scrape(platform().stack, key)).map(({ labels }) => labels));
      expect(text).not.to.match(/chosen|[0-9a-f]{8}-[0-9a-f]{4}-|@|\d+\.\d+\.\d+\.\d+/);
    }
  });
});
