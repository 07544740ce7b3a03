import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { mock } from 'node:test';
import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import { createLog } from '../log/log.ts';
import { createMetrics } from '../metrics/metrics.ts';
import {
  createOpsListener,
  createReadiness,
  type Readiness,
  type ReadinessChecks,
  registerReadinessMetric,
} from './ops-listener.ts';

const countConnections = (server: Server | undefined, expected: number): Promise<boolean> =>
  new Promise((resolve) => server?.getConnections((_error, count) => resolve(count === expected)));

const never = () => new Promise<void>(() => undefined);
const well = async () => undefined;
const broken = async () => {
  throw new Error('connection refused at 10.0.0.3');
};

describe('Readiness', () => {
  it('names failing dependencies, and those that do not respond in time', async () => {
    const readiness = createReadiness({ postgres: broken, redis: never, upstream: well });
    expect((await readiness.read()).failing).to.deep.equal(['postgres', 'redis']);
  });

  it('stays ready without an optional dependency, and names it', async () => {
    const readiness = createReadiness({ postgres: well }, { redis: broken });
    expect(await readiness.read()).to.deep.equal({ ready: true, failing: [], degraded: ['redis'] });
  });

  it('treats a synchronous throw as a failed check', async () => {
    const checks: ReadinessChecks = {
      postgres: () => {
        throw new Error('not connected');
      },
    };
    expect((await createReadiness(checks).read()).failing).to.deep.equal(['postgres']);
  });

  it('repeats its checks after a second, also when the clock is set back', async () => {
    let check = well;
    const readiness = createReadiness({ postgres: () => check() });
    expect((await readiness.read()).ready).to.equal(true);
    check = broken;
    mock.timers.enable({ apis: ['Date'], now: Date.now() - 3_600_000 });
    try {
      await waitFor('the failing check', async () => !(await readiness.read()).ready);
    } finally {
      mock.timers.reset();
    }
  });

  it('names the shutdown, independently of the checks', async () => {
    const readiness = createReadiness({ postgres: well });
    expect((await readiness.read()).ready).to.equal(true);
    readiness.stop();
    expect(await readiness.read()).to.deep.equal({ ready: false, failing: ['stopping'], degraded: [] });
  });
});

describe('Readiness metric', () => {
  const createScrape = (checks: ReadinessChecks, optionalChecks?: ReadinessChecks) => {
    const metrics = createMetrics('test');
    const readiness = createReadiness(checks, optionalChecks);
    registerReadinessMetric(metrics, readiness);
    const scrape = async () =>
      (await metrics.render()).split('\n').filter((line) => line.startsWith('readiness_check_success{'));
    return { readiness, scrape };
  };

  it('shows 1 for each check that succeeds and 0 for each that fails or is late', async () => {
    const { scrape } = createScrape({ postgres: broken, upstream: well }, { redis: never });
    expect((await scrape()).sort()).to.deep.equal([
      'readiness_check_success{check="postgres",required="true",service="test"} 0',
      'readiness_check_success{check="redis",required="false",service="test"} 0',
      'readiness_check_success{check="upstream",required="true",service="test"} 1',
    ]);
  });

  it('shares its checks with concurrent probes', async () => {
    let checks = 0;
    const count = async () => {
      checks += 1;
    };
    const { readiness, scrape } = createScrape({ postgres: count });
    await Promise.all([scrape(), readiness.read(), scrape()]);
    expect(checks).to.equal(1);
  });

  it('disappears during shutdown, so that a restart raises no alert', async () => {
    const { readiness, scrape } = createScrape({ postgres: broken });
    expect(await scrape()).to.have.length(1);
    readiness.stop();
    expect(await scrape()).to.deep.equal([]);
  });
});

describe('Ops listener', () => {
  const servers: Server[] = [];
  const lines: { level: string; path: string; err: { message: string } }[] = [];
  const output = new Writable({
    write: (line, _encoding, done) => {
      lines.push(JSON.parse(String(line)));
      done();
    },
  });
  const log = createLog({ service: 'test', level: 'info' }, output);
  const neverEnding = () => new Promise<number>(() => undefined);

  const listen = async (readiness: Readiness, metrics = createMetrics('test')): Promise<string> => {
    const server = createServer(createOpsListener(readiness, metrics, log));
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  afterEach('close the listeners', () => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
    lines.length = 0;
  });
  const request = async (checks: ReadinessChecks, path: string, method = 'GET') => {
    const response = await fetch((await listen(createReadiness(checks))) + path, { method });
    return { status: response.status, text: await response.text() };
  };

  it('reports liveness while dependencies do not respond', async () => {
    expect((await request({ postgres: broken }, '/healthz')).status).to.equal(200);
  });

  it('names failing and degraded dependencies on /readyz, without the errors', async () => {
    for (const [postgres, redis, status, body] of [
      [well, well, 200, { status: 'ready' }],
      [well, broken, 200, { status: 'ready', degraded: ['redis'] }],
      [broken, well, 503, { status: 'unavailable', failing: ['postgres'] }],
      [broken, broken, 503, { status: 'unavailable', failing: ['postgres'], degraded: ['redis'] }],
    ] as const) {
      const response = await fetch(`${await listen(createReadiness({ postgres }, { redis }))}/readyz`);
      expect([response.status, await response.json()]).to.deep.equal([status, body]);
    }
  });

  it('exposes the metrics of its service', async () => {
    const { status, text } = await request({}, '/metrics');
    expect(status).to.equal(200);
    expect(text).to.include('service="test"');
  });

  it('returns 404 for any other path', async () => {
    for (const path of ['/', '/metrics/', '/healthz?x'])
      expect((await request({}, path)).status, path).to.equal(404);
    expect((await request({}, '/healthz', 'POST')).status).to.equal(404);
  });

  it('responds to HEAD like to GET, without the body', async () => {
    const url = await listen(createReadiness({ postgres: broken }));
    for (const [path, status] of [
      ['/healthz', 200],
      ['/readyz', 503],
      ['/metrics', 200],
      ['/', 404],
    ] as const) {
      const response = await fetch(url + path, { method: 'HEAD' });
      expect(response.status, path).to.equal(status);
      expect(Number(response.headers.get('content-length')), path).to.be.above(0);
      expect(await response.text(), path).to.equal('');
    }
  });

  const expectLoggedFailure = async (url: string, path: string): Promise<void> => {
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(url + path, { method });
      const text = await response.text();
      expect([response.status, text]).to.deep.equal([
        500,
        method === 'GET' ? '{"status":"internal error"}' : '',
      ]);
      expect(lines.splice(0)).to.have.lengthOf(1).and.to.have.nested.property('0.level', 'error');
    }
    expect((await fetch(`${url}/healthz`)).status).to.equal(200);
  };

  it('returns 500 and logs once when metrics cannot be collected', async () => {
    const metrics = createMetrics('test');
    metrics.render = () => Promise.reject(new Error('collector broken at 10.0.0.3'));
    await expectLoggedFailure(await listen(createReadiness({}), metrics), '/metrics');
  });

  it('returns 500 and logs once when readiness cannot be read', async () => {
    const readiness = { ...createReadiness({}), read: () => Promise.reject(new Error('broken')) };
    await expectLoggedFailure(await listen(readiness), '/readyz');
  });

  /** Opens a scraper that sends its request and reads nothing. */
  const openScrape = (url: string): Socket => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
    socket.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n');
    return socket;
  };

  it('survives scrapes that are aborted during the read, and serves the others', async () => {
    const metrics = createMetrics('test');
    const begun = Promise.withResolvers<void>();
    const reading = Promise.withResolvers<string>();
    metrics.render = () => {
      begun.resolve();
      return reading.promise;
    };
    const url = await listen(createReadiness({}), metrics);
    const aborted = Array.from({ length: 5 }, () => openScrape(url));
    await begun.promise;
    await waitFor('the scrapers are connected', () => countConnections(servers[0], 5));
    const patient = fetch(`${url}/metrics`);
    for (const socket of aborted) socket.destroy();
    await waitFor('only one is left', () => countConnections(servers[0], 1));
    reading.resolve('all');
    expect(await (await patient).text()).to.equal('all');
    expect(lines).to.deep.equal([]);
  });

  it('serves other scrapes while one client does not read its response', async () => {
    const metrics = createMetrics('test');
    metrics.render = async () => 'x'.repeat(20_000_000);
    const url = await listen(createReadiness({}), metrics);
    const slow = openScrape(url);
    await waitFor('the slow scraper is connected', () => countConnections(servers[0], 1));
    expect((await (await fetch(`${url}/metrics`)).text()).length).to.equal(20_000_000);
    expect((await fetch(`${url}/readyz`)).status).to.equal(200);
    slow.destroy();
  });

  it('omits the series of a late read from concurrent scrapes', async () => {
    const metrics = createMetrics('test');
    metrics.gauge('late', 'help', neverEnding);
    metrics.gauge('present', 'help', () => 1);
    const url = await listen(createReadiness({}), metrics);
    const scrapes = await Promise.all(Array.from({ length: 10 }, () => fetch(`${url}/metrics`)));
    for (const scrape of scrapes) {
      const text = await scrape.text();
      expect(text)
        .to.match(/^present\{/m)
        .and.not.to.match(/^late\{/m);
    }
  });
});
