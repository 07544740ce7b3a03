import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useTestServers } from '../../testing/start-gateway.ts';

/** Blocks the process, as a paused machine does. */
const freeze = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};

/** Opens a connection for each, while this thread is blocked. */
const SEND_TWENTY = `
  const { parentPort, workerData: url } = require('node:worker_threads');
  Promise.all(Array.from({ length: 20 }, () => fetch(url).then(({ status }) => status))).then((statuses) =>
    parentPort.postMessage(statuses));`;

describe('requests that waited while the gateway was frozen', () => {
  const { startUpstream, startGatewayTo } = useTestServers();

  it('are not forwarded, and later ones are', async () => {
    const upstream = await startUpstream();
    const { url } = await startGatewayTo([upstream.url], { upstreamTimeoutSeconds: 1 });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    await delay(100);
    socket.write('GET /api/v1/customers/auth/refresh/token HTTP/1.1\r\nHost: localhost\r\n\r\n');
    freeze(2_500);
    const [response] = await once(socket, 'data');
    expect(String(response)).to.match(/^HTTP\/1\.1 503 .*retry-after: 1\r\n/is);
    expect(upstream.received).to.have.length(0);
    socket.destroy();
    await delay(1_100);
    expect((await send(url, 'GET', '/api/v1/users')).status).to.equal(200);
  });

  for (const [title, milliseconds] of [
    ['there are more than the gateway reads in a second', 1_500],
    ['a shorter freeze follows at once', 2_200],
  ] as const)
    it(`are not forwarded either when ${title}`, async () => {
      const upstream = await startUpstream();
      const { url } = await startGatewayTo([upstream.url], { upstreamTimeoutSeconds: 3 });
      const clients = new Worker(SEND_TWENTY, { eval: true, workerData: `${url}/api/v1/users` });
      await once(clients, 'online');
      freeze(3_200);
      // Each turn of the event loop accepts one connection. In the second one, the gateway notices the freeze.
      setImmediate(() => setImmediate(() => freeze(milliseconds)));
      const [statuses] = await once(clients, 'message');
      expect(new Set(statuses)).to.deep.equal(new Set([503]));
      expect(upstream.received).to.have.length(0);
    });
});
