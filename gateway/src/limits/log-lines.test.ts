import { collectLogLines } from '@platform/shared/testing/log-lines';
import { parseMetrics } from '@platform/shared/testing/parse-metrics';
import { waitFor } from '@platform/shared/testing/poll';
import { sendRaw } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import request from 'supertest';
import { type Gateway, useTestServers } from '../../testing/start-gateway.ts';

const LONG_PATH = `/${'x'.repeat(10_000)}`;

describe('log lines of rejected requests', () => {
  const { startUpstream, startGatewayTo } = useTestServers();
  const start = async (rateLimitScale = 100) => {
    const { output, lines } = collectLogLines();
    const service = await startUpstream();
    const options = { logOutput: output, trustedProxyHops: 1, rateLimitScale };
    return { gateway: await startGatewayTo([service.url], options), lines };
  };
  const send = async ({ url }: Gateway, address: string, path: string): Promise<number> =>
    (await request(url).get(path).set('X-Forwarded-For', address)).status;
  const sendMany = async (gateway: Gateway, address: string, path: string, count: number) => {
    for (let rest = count; rest > 0; rest -= 1) await send(gateway, address, path);
  };
  const countDropped = async ({ metrics }: Gateway): Promise<number | undefined> =>
    parseMetrics(await metrics()).find(
      ({ name, labels }) => name === 'log_lines_dropped_total' && labels['reason'] === 'network',
    )?.value;

  it('contain the first 200 characters of the path', async () => {
    const { gateway, lines } = await start();
    expect(await send(gateway, '192.0.2.1', LONG_PATH)).to.equal(404);
    await waitFor('the line is written', () => lines.length > 0);
    expect(lines[0]).to.include({ status: 404, path: LONG_PATH.slice(0, 200) });
  });

  it('are at most 100 a minute for a client network, whichever limit or rule rejects', async () => {
    const { gateway, lines } = await start(20 / 600);
    await sendMany(gateway, '192.0.2.1', '/nowhere', 130);
    await sendMany(gateway, '192.0.2.1', '/healthz', 5);
    expect(await send(gateway, '192.0.2.2', '/nowhere')).to.equal(404);
    await waitFor('the last line is written', () => lines.at(-1)?.['address'] === '192.0.2.2');
    const own = lines.filter(({ address }) => address === '192.0.2.1').map(({ status }) => status);
    expect(own.filter((status) => status === 404)).to.have.length(20);
    expect(own.filter((status) => status === 429)).to.have.length(80);
    expect(own).to.have.length(100);
    expect(await countDropped(gateway)).to.equal(35);
  });

  it('of requests to a service are all written', async () => {
    const { gateway, lines } = await start();
    await sendMany(gateway, '192.0.2.1', '/api/v1/users', 130);
    await waitFor('all lines are written', () => lines.length === 130);
  });

  it('contain no error of the gateway for a malformed body', async () => {
    const { gateway, lines } = await start();
    await sendRaw(
      gateway.url,
      'POST /api/v1/users HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n',
    );
    await waitFor('both lines are written', () => lines.length === 2);
    expect(lines.map(({ level, msg }) => [level, msg])).to.deep.equal([
      ['info', 'malformed request rejected'],
      ['info', 'request'],
    ]);
  });

  it('are at most 100 a minute for a network that sends malformed HTTP', async () => {
    const { gateway, lines } = await start();
    for (let rest = 130; rest > 0; rest -= 1) await sendRaw(gateway.url, 'malformed\r\n\r\n');
    expect(lines.filter(({ msg }) => msg === 'malformed request rejected')).to.have.length(100);
    expect(await countDropped(gateway)).to.equal(30);
  });
});
