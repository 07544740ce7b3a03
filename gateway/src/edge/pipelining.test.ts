import { createServer } from 'node:http';
import { listenLocally } from '@platform/shared/testing/local-server';
import { openRawConnection } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import { limitPipelining } from './pipelining.ts';

describe('pipelined requests beyond the limit', () => {
  it('are not parsed any more', async () => {
    let parsed = 0;
    const server = createServer(limitPipelining(() => undefined)).prependListener('request', () => {
      parsed += 1;
    });
    const { port, close } = await listenLocally(server);
    const client = openRawConnection(`http://127.0.0.1:${port}`);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(500));
    await client.closed.catch(() => undefined);
    expect(parsed).to.equal(10);
    await close();
  });
});
