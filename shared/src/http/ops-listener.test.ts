import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createMetrics } from '../metrics/metrics.ts';
import { type Checks, createOpsListener, createReadiness } from './ops-listener.ts';

const never = () => new Promise<void>(() => undefined);
const well = async () => undefined;
const broken = async () => {
  throw new Error('connection refused at 10.0.0.3');
};

describe('Readiness', () => {
  it('is given when every part answers', async () => {
    expect(await createReadiness({ postgres: well, redis: well }).read()).to.deep.equal({
      ready: true,
      failing: [],
    });
  });

  it('names the parts that fail, and those that do not answer in half a second', async () => {
    const started = performance.now();
    const readiness = createReadiness({ postgres: broken, redis: never, upstream: well });
    expect(await readiness.read()).to.deep.equal({ ready: false, failing: ['postgres', 'redis'] });
    expect(performance.now() - started).to.be.below(1_500);
  });

  it('takes a check that throws at once for one that fails', async () => {
    const checks: Checks = {
      postgres: () => {
        throw new Error('not connected');
      },
    };
    expect((await createReadiness(checks).read()).failing).to.deep.equal(['postgres']);
  });

  it('asks each part once for many probes of one moment', async () => {
    let asked = 0;
    const readiness = createReadiness({
      postgres: async () => {
        asked += 1;
      },
    });
    await Promise.all(Array.from({ length: 20 }, () => readiness.read()));
    expect(asked).to.equal(1);
  });

  it('ends with the stop of the process, whatever its parts say', async () => {
    const readiness = createReadiness({ postgres: well });
    expect((await readiness.read()).ready).to.equal(true);
    readiness.stop();
    expect((await readiness.read()).ready).to.equal(false);
  });
});

describe('The operations listener', () => {
  const answers = async (checks: Checks, path: string, method = 'GET') => {
    const server = createOpsListener(createReadiness(checks), createMetrics('test'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    const text = await answer.text();
    server.close();
    server.closeAllConnections();
    return { status: answer.status, text };
  };

  it('tells that the process runs, even while its parts do not answer', async () => {
    expect((await answers({ postgres: broken }, '/healthz')).status).to.equal(200);
  });

  it('answers 503 with the name of what fails, and not why', async () => {
    const { status, text } = await answers({ postgres: broken, redis: well }, '/readyz');
    expect(status).to.equal(503);
    expect(JSON.parse(text)).to.deep.equal({ status: 'unavailable', failing: ['postgres'] });
  });

  it('answers 200 when all is well', async () => {
    expect((await answers({ postgres: well }, '/readyz')).status).to.equal(200);
  });

  it('shows the figures of its service', async () => {
    const { status, text } = await answers({}, '/metrics');
    expect(status).to.equal(200);
    expect(text).to.include('service="test"');
  });

  it('knows nothing else', async () => {
    for (const path of ['/', '/metrics/', '/healthz?x'])
      expect((await answers({}, path)).status, path).to.equal(404);
    expect((await answers({}, '/healthz', 'POST')).status).to.equal(404);
  });
});
