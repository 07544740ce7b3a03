import { createServer } from 'node:http';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { listenLocally } from '@platform/shared/testing/local-server';
import { parseStatuses, sendRaw } from '@platform/shared/testing/raw-http';
import { expectError } from '@platform/shared/testing/responses';
import { useRunning } from '@platform/shared/testing/use-running';
import { expect } from 'chai';
import { createHostCheck } from '../network/known-hosts.ts';
import { requireKnownHost } from './require-known-host.ts';

describe('hosts of a development server', () => {
  const isKnownHost = createHostCheck(['https://shop.example:8443', undefined, 'http://accounts.test']);
  const server = useRunning(async () => {
    const { port, close } = await listenLocally(
      createServer(requireKnownHost(isKnownHost, (_req, res) => res.end('served'))),
    );
    return { url: `http://127.0.0.1:${port}`, stop: close };
  });
  const request = (host: string) =>
    createHttpClient(server().url).sendOrThrow({ path: '/', headers: { Host: host } });

  it('are loopback names, addresses, and those of its settings, with any port', async () => {
    for (const host of [
      ...['localhost:3000', 'LOCALHOST', 'app.localhost', '127.0.0.1', '[::1]:3000', '192.168.1.5:3000'],
      ...['shop.example', 'accounts.test:3000'],
    ])
      expect((await request(host)).text, host).to.equal('served');
    expect(parseStatuses(await sendRaw(server().url, 'GET / HTTP/1.0\r\n\r\n'))).to.deep.equal([200]);
  });

  it('are no others, which a web page could let resolve to 127.0.0.1', async () => {
    for (const host of [
      ...['rebound.evil.example', 'localhost.evil.example', 'evil-localhost', 'accounts.test.evil.example'],
      ...['127.0.0.1.evil.example', 'evil.example:3000', 'null', 'x@y'],
    ])
      expectError(await request(host), 421, 'HOST_UNKNOWN');
    const foreign = 'GET / HTTP/1.1\r\nHost: rebound.evil.example\r\n\r\n';
    expect(parseStatuses(await sendRaw(server().url, foreign))).to.deep.equal([421]);
  });
});
