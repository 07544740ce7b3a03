import { expect } from 'chai';
import { type ProxiedRequest, shouldRetryAfterError } from './proxied-request.ts';
import { createUpstreamPool } from './upstream-pool.ts';

describe('retry of a request that was not sent', () => {
  it('uses the only instance left after the address of the failed one has vanished from DNS', () => {
    const pool = createUpstreamPool('auth-service', ['http://10.0.0.1:3001', 'http://10.0.0.2:3001']);
    const attempt = { pool, attempts: 1, isConnected: false, instance: pool.select() };
    const proxiedRequest = attempt as ProxiedRequest;
    pool.replaceUrls(['http://10.0.0.2:3001']);
    const retries = () => shouldRetryAfterError(proxiedRequest, new Error('connect timeout'));
    expect(retries()).to.equal(true);
    proxiedRequest.instance = pool.select();
    expect(retries(), 'the only instance has failed').to.equal(false);
  });
});
