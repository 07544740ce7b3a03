import { once } from 'node:events';
import { createRequestState } from '@platform/shared/http/request-logging';
import { createLog } from '@platform/shared/log/log';
import { createMetrics } from '@platform/shared/metrics/metrics';
import { createApiServer } from '@platform/shared/server/api-server';
import { HELD_REQUEST, startHeldService } from '@platform/shared/testing/held-service';
import { listenLocally } from '@platform/shared/testing/local-server';
import { collectLogLines } from '@platform/shared/testing/log-lines';
import { waitFor } from '@platform/shared/testing/poll';
import { openRawConnection } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import express from 'express';
import { useTestServers } from '../../testing/start-gateway.ts';
import { MAX_UPSTREAM_CONNECTIONS } from '../proxy/upstream-pool.ts';
import { createLimitMetrics } from './limit-metrics.ts';
import { createNetworkShares } from './network-share.ts';
import { createBodyReader } from './request-body.ts';

describe('clients of the gateway that disconnect before their body is read', () => {
  const { startGatewayTo, stopAfterTest } = useTestServers();

  it('cause a 499 in the gateway and in the service, and run nothing', async () => {
    const service = stopAfterTest(await startHeldService());
    const { output, lines } = collectLogLines();
    const gateway = await startGatewayTo([service.url], { logOutput: output });
    const clients = Array.from({ length: 40 }, () => openRawConnection(gateway.url));
    for (const { write } of clients) write(HELD_REQUEST);
    await waitFor('the requests have arrived', () => service.countWaiting() === 40);
    for (const { close } of clients) close();
    await waitFor('the service has noticed', async () => (await service.countRequests(499)) === 40);
    service.release();
    const last = openRawConnection(gateway.url);
    last.write(HELD_REQUEST);
    await waitFor('a later request has succeeded', async () => (await service.countRequests(204)) === 1);
    last.close();
    expect(service.bodies).to.deep.equal([{ title: 'New' }]);
    expect(service.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
    const statuses = lines.filter(({ msg }) => msg === 'request').map(({ status }) => status);
    expect(statuses.filter((status) => status === 499)).to.have.length(40);
    expect(lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });

  it('hold no share of the bodies', async () => {
    const metrics = createMetrics('test');
    const limitMetrics = createLimitMetrics(metrics);
    const shares = createNetworkShares({
      metrics: limitMetrics,
      connections: MAX_UPSTREAM_CONNECTIONS,
    });
    let opened = 0;
    const openBody: typeof shares.openBody = (...options) => {
      opened += 1;
      return shares.openBody(...options);
    };
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const log = createLog({ service: 'test', level: 'silent' });
    const app = express()
      .use(createRequestState, (_req, _res, next) => void released.then(() => next()))
      .use(createBodyReader({ ...shares, openBody }, limitMetrics), (_req, res) => void res.end());
    const server = createApiServer(app, { log, metrics });
    const { port, close } = await listenLocally(server);
    const client = openRawConnection(`http://127.0.0.1:${port}`);
    client.write(HELD_REQUEST);
    const [, res] = await once(server, 'request');
    client.close();
    await once(res, 'close');
    release();
    const { status } = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: 'x' });
    expect([status, opened]).to.deep.equal([200, 1]);
    await close();
  });
});
