import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { waitFor } from './poll.ts';
import { watchProcesses } from './watch-processes.ts';

const METRICS = 'process_start_time_seconds{service="fake"} 100\nrequests_total 1.5e+3\n';

describe('process watch', () => {
  const responses: Record<string, { status: number; body: string }> = {};
  const server = createServer((req, res) => {
    const { status, body } = responses[req.url ?? ''] ?? { status: 404, body: '' };
    res.writeHead(status).end(body);
  });
  let opsUrl: string;
  before('serve an operations port', async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    opsUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach('run well', () => {
    responses['/metrics'] = { status: 200, body: METRICS };
    responses['/healthz'] = { status: 200, body: '{}' };
    responses['/readyz'] = { status: 200, body: '{}' };
  });
  after('close the operations port', () => server.close());

  const watchOnce = async () => {
    const watching = watchProcesses();
    watching.watch('fake', opsUrl);
    return await watching.stop();
  };

  it('counts the scrapes of a process, and those at which it is not ready', async () => {
    expect(await watchOnce()).to.deep.equal({ counts: { fake: 1 }, unready: {}, failures: [] });
    responses['/readyz'] = { status: 503, body: '{}' };
    expect(await watchOnce()).to.deep.equal({ counts: { fake: 1 }, unready: { fake: 1 }, failures: [] });
  });

  for (const [path, status, body] of [
    ['/metrics', 500, METRICS],
    ['/metrics', 200, `${METRICS}requests_total 1,5\n`],
    ['/metrics', 200, 'requests_total 1\n'],
    ['/healthz', 503, ''],
    ['/readyz', 500, ''],
  ] as const)
    it(`reports ${path} with ${status} ${JSON.stringify(body)}`, async () => {
      responses[path] = { status, body };
      const { counts, failures } = await watchOnce();
      expect(counts).to.deep.equal({});
      expect(failures).to.have.lengthOf(1);
    });

  it('reports a process that does not respond, unless it is no longer watched', async () => {
    const watching = watchProcesses();
    watching.watch('ended', 'http://127.0.0.1:1');
    watching.watch('stopped', 'http://127.0.0.1:2');
    watching.unwatch('http://127.0.0.1:2');
    const { failures } = await watching.stop();
    expect(failures).to.have.lengthOf(1);
    expect(failures[0]).to.contain('ended');
  });

  it('reports a process that was started again', async () => {
    const watching = watchProcesses();
    watching.watch('fake', opsUrl);
    await waitFor('the first scrape', () => watching.counts()['fake']);
    responses['/metrics'] = { status: 200, body: METRICS.replace('100', '200') };
    const { failures } = await watching.stop();
    expect(failures).to.have.lengthOf(1);
    expect(failures[0]).to.contain('fake: ended and was started again');
  });
});
