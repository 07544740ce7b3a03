import { sendRaw } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import request from 'supertest';
import { startGateway, useGateway } from '../../testing/start-gateway.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

const countHeader = (response: string, name: string): number =>
  response.split('\r\n\r\n')[0]?.match(new RegExp(`^${name}:`, 'gim'))?.length ?? 0;

describe('request headers forwarded to the service', () => {
  const { service, gateway } = useGateway();

  const forwarded = async (headers: Record<string, string>, url = gateway().url) =>
    (await request(url).get('/api/v1/users').set(headers)).body.headers;

  it('replaces the forwarding headers that a client sends', async () => {
    const headers = await forwarded({
      'X-Forwarded-For': '1.2.3.4, 5.6.7.8',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Port': '443',
      'X-Forwarded-Prefix': '/evil',
      Forwarded: 'for=1.2.3.4',
      'X-Real-IP': '1.2.3.4',
      'True-Client-IP': '1.2.3.4',
      'X-Original-URL': '/admin',
      'X-HTTP-Method-Override': 'DELETE',
    });
    expect(headers).to.include({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': gateway().url.slice('http://'.length),
      host: service().url.slice('http://'.length),
    });
    expect(headers).not.to.have.any.keys(
      'forwarded',
      'x-real-ip',
      'true-client-ip',
      'x-original-url',
      'x-http-method-override',
      'x-forwarded-port',
      'x-forwarded-prefix',
    );
  });

  it('drops names with an underscore, which a server could read as a hyphen', async () => {
    const headers = await forwarded({
      X_Forwarded_For: '1.2.3.4',
      X_Request_Id: 'forged',
      'X-Real_IP': '1.2.3.4',
      Custom_Name: '1',
      'Custom-Name': '2',
    });
    expect(Object.keys(headers).filter((name) => name.includes('_'))).to.deep.equal([]);
    expect(headers).to.include({ 'custom-name': '2' });
  });

  it('uses the address and the host that the trusted load balancers report', async () => {
    const addresses: [hops: number, list: string, address: string][] = [
      [1, '1.1.1.1, 203.0.113.9', '203.0.113.9'],
      [2, '6.6.6.6, 203.0.113.9, 10.0.0.1', '203.0.113.9'],
      [2, '6.6.6.6, [2001:DB8::7%eth0]:443, 10.0.0.1', '2001:db8::7'],
      [2, "6.6.6.6, '; drop table, 10.0.0.1", '127.0.0.1'],
    ];
    for (const [trustedProxyHops, list, address] of addresses) {
      const behind = await startGateway({ auth: [service().url], admin: [service().url], trustedProxyHops });
      const reported = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'api.example' };
      expect(await forwarded({ ...reported, 'X-Forwarded-For': list }, behind.url)).to.include({
        'x-forwarded-for': address,
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'api.example',
      });
      await behind.stop();
    }
  });

  it('keeps a well-formed X-Request-Id and replaces a malformed one', async () => {
    const kept = await request(gateway().url).get('/api/v1/users').set('X-Request-Id', 'order-7.b_C');
    expect(kept.body.headers['x-request-id']).to.equal('order-7.b_C');
    expect(kept.headers['x-request-id']).to.equal('order-7.b_C');
    for (const bad of ['a b', 'x'.repeat(129), '<script>']) {
      const made = await request(gateway().url).get('/api/v1/users').set('X-Request-Id', bad);
      expect(made.headers['x-request-id']).to.match(UUID);
      expect(made.body.headers['x-request-id']).to.equal(made.headers['x-request-id']);
    }
  });

  it('drops hop-by-hop headers and the headers that Connection names', async () => {
    const response = await sendRaw(
      gateway().url,
      'POST /api/v1/users HTTP/1.1\r\nHost: x\r\nConnection: close, X-Secret , X-Forwarded-For, Content-Length\r\n' +
        'X-Secret: 1\r\nKeep-Alive: timeout=9\r\nTE: trailers\r\nTrailer: X-T\r\nUpgrade: websocket\r\n' +
        'Proxy-Connection: keep-alive\r\nProxy-Authorization: Basic eA==\r\nExpect: 100-continue\r\n' +
        'X-Fingerprint: f\r\nContent-Length: 2\r\n\r\n{}',
    );
    const { headers, body } = JSON.parse(response.slice(response.indexOf('{"method"')));
    expect(body).to.equal('{}');
    expect(headers).to.include({
      connection: 'keep-alive',
      'x-fingerprint': 'f',
      'x-forwarded-for': '127.0.0.1',
      'content-length': '2',
    });
    expect(headers).not.to.have.any.keys(
      'x-secret',
      'keep-alive',
      'te',
      'trailer',
      'upgrade',
      'proxy-connection',
      'proxy-authorization',
      'expect',
    );
  });
});

describe('response headers forwarded to the client', () => {
  const { gateway } = useGateway((req, res) => {
    res.setHeader('Connection', 'close, X-Hop, Content-Length');
    res.setHeader('X-Hop', '1');
    res.setHeader('Keep-Alive', 'timeout=1');
    res.setHeader('X-Powered-By', 'PHP');
    res.setHeader('X-Request-Id', 'upstream-request-id');
    res.setHeader('Access-Control-Allow-Origin', '*');
    res.setHeader('Access-Control-Allow-Credentials', 'true');
    res.setHeader('Vary', 'Accept-Encoding');
    res.setHeader('Set-Cookie', ['a=1; Path=/', 'b=2; Path=/']);
    if (req.url?.startsWith('/api/v1/docs')) res.setHeader('Content-Security-Policy', "default-src 'self'");
    res.end('page');
  });

  const getRaw = (path: string) =>
    sendRaw(gateway().url, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);

  it('sets each security header that has an effect on JSON exactly once, also on error responses', async () => {
    for (const path of ['/api/v1/users', '/nowhere', '/healthz']) {
      const response = await getRaw(path);
      for (const name of [
        'Strict-Transport-Security',
        'X-Content-Type-Options',
        'Content-Security-Policy',
        'X-Frame-Options',
        'Permissions-Policy',
        'Referrer-Policy',
        'Cross-Origin-Resource-Policy',
        'X-Request-Id',
        'Vary',
        'Date',
      ])
        expect(countHeader(response, name), `${name} of ${path}`).to.equal(1);
      expect(response).to.match(/^content-security-policy: default-src 'none'/im);
      expect(response).to.match(/^x-frame-options: deny\r$/im);
      for (const name of ['X-Powered-By', 'X-XSS-Protection', 'X-Download-Options', 'Origin-Agent-Cluster'])
        expect(countHeader(response, name), `${name} of ${path}`).to.equal(0);
    }
  });

  it('keeps the Content-Security-Policy of an upstream page', async () => {
    const response = await getRaw('/api/v1/docs/');
    expect(countHeader(response, 'Content-Security-Policy')).to.equal(1);
    expect(response).to.match(/^content-security-policy: default-src 'self'\r$/im);
  });

  it('drops hop-by-hop and CORS headers of the service and keeps its cookies', async () => {
    const { headers } = await request(gateway().url).get('/api/v1/users');
    expect(headers).not.to.have.any.keys(
      'x-hop',
      'access-control-allow-origin',
      'access-control-allow-credentials',
    );
    expect(headers.connection).not.to.include('X-Hop');
    // `Connection` cannot drop it.
    expect(headers['content-length']).to.equal('4');
    expect(headers['x-request-id']).to.match(UUID);
    expect(headers['set-cookie']).to.deep.equal(['a=1; Path=/', 'b=2; Path=/']);
    expect(headers.vary).to.equal('Origin, Accept-Encoding');
  });

  it('responds to an HTTP/1.0 client without chunked encoding', async () => {
    const response = await sendRaw(gateway().url, 'GET /api/v1/users HTTP/1.0\r\n\r\n');
    expect(response).to.match(/^HTTP\/1\.1 200 /);
    expect(response).not.to.match(/^transfer-encoding/im);
    expect(response).to.match(/\r\n\r\npage$/);
  });
});
