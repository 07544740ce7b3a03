import { once } from 'node:events';
import { request as send } from 'node:http';
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { startCollector } from '@platform/shared/testing/otlp-collector';
import { waitFor } from '@platform/shared/testing/poll';
import { startService } from '@platform/shared/testing/process';
import { sendRaw } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import request from 'supertest';
import { type FakeUpstream, getUnreachableUrl, startFakeUpstream } from '../testing/fake-upstream.ts';
import { type Gateway, startGateway, useTestServers } from '../testing/start-gateway.ts';

const SIGN_IN = '/api/v1/customers/auth/sign-in';

describe('gateway metrics', () => {
  const { startUpstream, startGatewayTo } = useTestServers();
  const count = async ({ metrics }: Gateway, series: string): Promise<number> => {
    const line = (await metrics()).split('\n').find((text) => text.startsWith(series.replace('}', ',')));
    expect(line, series).to.be.a('string');
    return Number(line?.split(' ').at(-1));
  };

  it('counts errors of an unavailable upstream', async () => {
    const gateway = await startGatewayTo([await getUnreachableUrl()]);
    await request(gateway.url).get('/api/v1/users').expect(502);
    await request(gateway.url).get('/api/v1/users').expect(502);
    const errors = 'upstream_errors_total{upstream="admin-service",reason="unavailable"}';
    expect(await count(gateway, errors)).to.equal(2);
    expect(await count(gateway, errors.replace('admin', 'auth'))).to.equal(0);
  });

  it('distinguishes upstream timeouts from aborted responses', async () => {
    const slow = await startUpstream(() => undefined);
    const gatewayToSlow = await startGatewayTo([slow.url], { upstreamTimeoutSeconds: 0.1 });
    await request(gatewayToSlow.url).get('/api/v1/auth/me').expect(504);
    const timeouts = 'upstream_errors_total{upstream="auth-service",reason="timeout"}';
    expect(await count(gatewayToSlow, timeouts)).to.equal(1);

    const broken = await startUpstream((_req, res) => {
      res.writeHead(200, { 'Content-Length': '10' });
      res.write('half', () => res.destroy());
    });
    const gateway = await startGatewayTo([broken.url]);
    const outgoing = send(`${gateway.url}/api/v1/users`).end();
    const [response] = await once(outgoing, 'response');
    response.on('error', () => undefined).resume();
    await new Promise((resolve) => response.once('close', resolve));
    const brokenOff = 'upstream_errors_total{upstream="admin-service",reason="broken_off"}';
    expect(await count(gateway, brokenOff)).to.equal(1);
  });

  it('counts requests that clients abandon while a service does not respond, with status 499', async () => {
    const arrived = Promise.withResolvers<void>();
    const frozen = await startUpstream(() => arrived.resolve());
    const gateway = await startGatewayTo([frozen.url], { upstreamTimeoutSeconds: 2 });
    const outgoing = send(`${gateway.url}/api/v1/auth/me`)
      .on('error', () => undefined)
      .end();
    await arrived.promise;
    // The delay is longer than half of the timeout.
    await delay(1_050);
    outgoing.destroy();
    await waitFor('the status is 499', async () =>
      (await gateway.metrics()).includes('method="GET",route="auth-service",status="499"'),
    );
    const abandoned = 'upstream_errors_total{upstream="auth-service",reason="abandoned"}';
    expect(await count(gateway, abandoned)).to.equal(1);
    expect(await count(gateway, abandoned.replace('abandoned', 'timeout'))).to.equal(0);
  });

  it('counts rate-limited requests by limit', async () => {
    const service = await startUpstream();
    const gateway = await startGatewayTo([service.url], { rateLimitScale: 1 / 60 });
    await request(gateway.url).post(SIGN_IN).expect(200);
    await request(gateway.url).post(SIGN_IN).expect(429);
    for (let rest = 8; rest > 0; rest -= 1) await request(gateway.url).get('/api/v1/users').expect(200);
    await request(gateway.url).get('/api/v1/users').expect(429);
    expect(await count(gateway, 'rate_limit_rejections_total{limit="sign-in"}')).to.equal(1);
    expect(await count(gateway, 'rate_limit_rejections_total{limit="all"}')).to.equal(1);
    expect(await count(gateway, 'rate_limit_rejections_total{limit="codes"}')).to.equal(0);
  });
});

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';

describe('gateway spans', () => {
  it('contain the cause of a failed upstream, and no query string', async () => {
    const collector = await startCollector();
    const gateway = startService('gateway', {
      NODE_ENV: 'test',
      GATEWAY_PORT: '0',
      GATEWAY_OPS_PORT: '0',
      DRAIN_SECONDS: '0',
      AUTH_SERVICE_URLS: await getUnreachableUrl(),
      ADMIN_SERVICE_URLS: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    });
    try {
      const { url } = await gateway.listening();
      const headers = { traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01` };
      const { status } = await fetch(`${url}/api/v1/auth/me?planted=ada@secret.example`, { headers });
      expect(status).to.equal(502);
      const spans = await waitFor('both spans have arrived', () => {
        const found = collector.getSpans(TRACE_ID);
        return found.length === 2 && found;
      });
      const [client, span] = ['client', 'server'].map((kind) => spans.find((each) => each.kind === kind));
      expect(client).to.deep.include({ parentSpanId: span?.spanId, isError: true });
      expect(client?.attributes).to.include({
        'error.type': 'UPSTREAM_UNAVAILABLE',
        'server.address': '127.0.0.1',
      });
      expect(span?.isError).to.equal(true);
      expect(span?.attributes).to.include({
        'error.type': '502',
        'url.path': '/api/v1/auth/me',
        'url.scheme': 'http',
        'marketplace.error.code': 'UPSTREAM_UNAVAILABLE',
      });
      expect(span?.events.map(({ attributes }) => attributes['exception.type'])).to.deep.equal([
        'ECONNREFUSED',
      ]);
      expect(JSON.stringify(spans)).not.to.match(/planted|secret/);
    } finally {
      await gateway.stop();
      await collector.stop();
    }
  });
});

const QUERY = '?code=Unmistakable-8&email=ada@example.com';
const SECRET = /Unmistakable-8|app\.example\.com|\?code/;

describe('gateway request log', () => {
  let output = '';
  let service: FakeUpstream;
  let gateway: Gateway;
  before('start a gateway with a failing and an unavailable service', async () => {
    service = await startFakeUpstream((req, res) => {
      if (req.url?.includes('/slow')) return;
      if (req.url?.includes('/broken')) {
        res.writeHead(200, { 'Content-Length': '100' }).write('half');
        setImmediate(() => res.destroy());
        return;
      }
      res.writeHead(req.url?.includes('/failing') ? 500 : 200).end('{}');
    });
    const logOutput = new Writable({
      write: (line, _encoding, done) => {
        output += line;
        done();
      },
    });
    gateway = await startGateway({
      auth: [await getUnreachableUrl()],
      admin: [service.url],
      upstreamTimeoutSeconds: 0.2,
      logOutput,
    });
  });
  after(async () => {
    await gateway?.stop();
    await service?.stop();
  });

  const getStatus = async (path: string): Promise<number> => {
    const { status } = await request(gateway.url)
      .get(path + QUERY)
      .set({ Referer: `https://app.example.com/reset${QUERY}`, 'X-Original-URL': `/reset${QUERY}` });
    return status;
  };

  it('never contains a query string, whether a request succeeds, is rejected or fails', async () => {
    expect(await getStatus('/api/v1/users')).to.equal(200);
    expect(await getStatus('/api/v1/users/failing')).to.equal(500);
    expect(await getStatus('/api/v1/users/slow')).to.equal(504);
    expect(await getStatus('/api/v1/auth/me')).to.equal(502);
    expect(await getStatus('/nowhere')).to.equal(404);
    expect(await getStatus('/api/v1/users%2f')).to.equal(400);
    await request(gateway.url)
      .get(`/api/v1/users/broken${QUERY}`)
      .catch((error: Error) => expect(error.message).to.match(/aborted|hang up/));
    expect(await sendRaw(gateway.url, `GET /${QUERY} HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n`)).to.include(
      '400',
    );
    const messages = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg);
    expect(messages.filter((message) => message === 'request')).to.have.lengthOf(7);
    expect(messages).to.include.members(['upstream response aborted', 'malformed request rejected']);
    expect(output).not.to.match(SECRET);
  });
});
