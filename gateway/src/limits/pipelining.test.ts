import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { createLog } from '@platform/shared/log/log';
import { createMetrics } from '@platform/shared/metrics/metrics';
import { createApiServer } from '@platform/shared/server/api-server';
import { listenLocally } from '@platform/shared/testing/local-server';
import { openRawConnection, parseStatuses } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import { limitPipelining } from './pipelining.ts';

const runtime = { log: createLog({ service: 'test', level: 'silent' }), metrics: createMetrics('test') };
const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

describe('pipelined requests', () => {
  const connect = async (server: Server, bytes: string) => {
    const { port, close } = await listenLocally(server);
    const client = openRawConnection(`http://127.0.0.1:${port}`);
    client.write(bytes);
    return { client, close };
  };

  it('beyond the limit are not parsed', async () => {
    let parsed = 0;
    const server = createApiServer(
      limitPipelining(() => undefined),
      runtime,
    ).prependListener('request', () => {
      parsed += 1;
    });
    const { client, close } = await connect(server, REQUEST.repeat(500));
    await client.closed;
    expect(parsed).to.equal(10);
    await close();
  });

  it('that get a parser error while they wait get no second response', async () => {
    const handled: ServerResponse[] = [];
    const listener = limitPipelining((_req, res) => void handled.push(res));
    const server = createApiServer(listener, runtime);
    const rejected = once(server, 'clientError');
    const malformed = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n';
    const { client, close } = await connect(server, REQUEST + malformed);
    await rejected;
    handled[0]?.end();
    expect(parseStatuses(await client.closed)).to.deep.equal([200, 400]);
    expect(handled).to.have.length(1);
    await close();
  });
});
