import { once } from 'node:events';
import { request as send } from 'node:http';
import { expect } from 'chai';
import request from 'supertest';
import { findDeadUrl, type StandIn, startStandIn } from './fake-upstream.ts';
import { type Gateway, startGateway } from './gateway-under-test.ts';

const SIGN_IN = '/api/v1/customers/auth/sign-in';

describe('The figures of the gateway', () => {
  const running: { stop: () => Promise<void> }[] = [];
  const standIn = async (...given: Parameters<typeof startStandIn>): Promise<StandIn> => {
    const started = await startStandIn(...given);
    running.unshift(started);
    return started;
  };
  const gatewayTo = async (urls: string[], config: object = {}): Promise<Gateway> => {
    const started = await startGateway({ auth: urls, admin: urls, ...config });
    running.unshift(started);
    return started;
  };
  afterEach('stop what was started', () => Promise.all(running.splice(0).map(({ stop }) => stop())));
  const count = async ({ metrics }: Gateway, series: string): Promise<number> => {
    const line = (await metrics()).split('\n').find((text) => text.startsWith(series.replace('}', ',')));
    expect(line, series).to.be.a('string');
    return Number(line?.split(' ').at(-1));
  };

  it('When a service is away, then its errors are counted, and how often it was left out', async () => {
    const gateway = await gatewayTo([await findDeadUrl()]);
    await request(gateway.url).get('/api/v1/users').expect(502);
    await request(gateway.url).get('/api/v1/users').expect(502);
    const errors = 'upstream_errors_total{upstream="admin-service",reason="unavailable"}';
    expect(await count(gateway, errors)).to.equal(2);
    expect(await count(gateway, errors.replace('admin', 'auth'))).to.equal(0);
    expect(await count(gateway, 'upstream_left_out_total{upstream="admin-service"}')).to.equal(1);
  });

  it('When a service is slow, or breaks its answer off, then that is told apart', async () => {
    const slow = await standIn(() => undefined);
    const impatient = await gatewayTo([slow.url], { upstreamTimeoutSeconds: 0.1 });
    await request(impatient.url).get('/api/v1/auth/me').expect(504);
    const timeouts = 'upstream_errors_total{upstream="auth-service",reason="timeout"}';
    expect(await count(impatient, timeouts)).to.equal(1);

    const broken = await standIn((_req, res) => {
      res.writeHead(200, { 'Content-Length': '10' });
      res.write('half', () => res.destroy());
    });
    const gateway = await gatewayTo([broken.url]);
    const outgoing = send(`${gateway.url}/api/v1/users`).end();
    const [answer] = await once(outgoing, 'response');
    answer.on('error', () => undefined).resume();
    await new Promise((resolve) => answer.once('close', resolve));
    const brokenOff = 'upstream_errors_total{upstream="admin-service",reason="broken_off"}';
    expect(await count(gateway, brokenOff)).to.equal(1);
  });

  it('When an address asks too much, then the refusals are counted by limit', async () => {
    const service = await standIn();
    const gateway = await gatewayTo([service.url], { rateLimitScale: 1 / 60 });
    await request(gateway.url).post(SIGN_IN).expect(200);
    await request(gateway.url).post(SIGN_IN).expect(429);
    for (let rest = 8; rest > 0; rest -= 1) await request(gateway.url).get('/api/v1/users').expect(200);
    await request(gateway.url).get('/api/v1/users').expect(429);
    expect(await count(gateway, 'rate_limit_refusals_total{limit="sign-in"}')).to.equal(1);
    expect(await count(gateway, 'rate_limit_refusals_total{limit="all"}')).to.equal(1);
    expect(await count(gateway, 'rate_limit_refusals_total{limit="codes"}')).to.equal(0);
  });
});
