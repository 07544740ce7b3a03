import { once } from 'node:events';
import { request as send } from 'node:http';
import { expect } from 'chai';
import request from 'supertest';
import { getUnreachableUrl } from '../fake-upstream.ts';
import { type Gateway, useTestServers } from '../start-gateway.ts';

const SIGN_IN = '/api/v1/customers/auth/sign-in';

describe('gateway metrics', () => {
  const { startUpstream, startGatewayTo } = useTestServers();
  const count = async ({ metrics }: Gateway, series: string): Promise<number> => {
    const line = (await metrics()).split('\n').find((text) => text.startsWith(series.replace('}', ',')));
    expect(line, series).to.be.a('string');
    return Number(line?.split(' ').at(-1));
  };

  it('counts errors and ejections of an unavailable upstream', async () => {
    const gateway = await startGatewayTo([await getUnreachableUrl()]);
    await request(gateway.url).get('/api/v1/users').expect(502);
    await request(gateway.url).get('/api/v1/users').expect(502);
    const errors = 'upstream_errors_total{upstream="admin-service",reason="unavailable"}';
    expect(await count(gateway, errors)).to.equal(2);
    expect(await count(gateway, errors.replace('admin', 'auth'))).to.equal(0);
    expect(await count(gateway, 'upstream_left_out_total{upstream="admin-service"}')).to.equal(1);
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

  it('counts rate-limited requests by limit', async () => {
    const service = await startUpstream();
    const gateway = await startGatewayTo([service.url], { rateLimitScale: 1 / 60 });
    await request(gateway.url).post(SIGN_IN).expect(200);
    await request(gateway.url).post(SIGN_IN).expect(429);
    for (let rest = 8; rest > 0; rest -= 1) await request(gateway.url).get('/api/v1/users').expect(200);
    await request(gateway.url).get('/api/v1/users').expect(429);
    expect(await count(gateway, 'rate_limit_refusals_total{limit="sign-in"}')).to.equal(1);
    expect(await count(gateway, 'rate_limit_refusals_total{limit="all"}')).to.equal(1);
    expect(await count(gateway, 'rate_limit_refusals_total{limit="codes"}')).to.equal(0);
  });
});
