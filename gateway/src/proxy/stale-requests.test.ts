import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useTestServers } from '../../testing/start-gateway.ts';

/** Blocks the process, as a paused machine does. */
const freeze = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};

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
});
