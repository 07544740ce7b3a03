import { expect } from 'chai';
import { createMetrics } from './metrics.ts';

const FAILURES: Record<string, () => Promise<number>> = {
  fails: () => Promise.reject(new Error('connection refused')),
  'throws at once': () => {
    throw new Error('not connected');
  },
  'is late': () => new Promise(() => undefined),
  'is not a number': () => Promise.resolve('many' as unknown as number),
};

describe('Metrics of requests', () => {
  it('have one label for all unknown methods', async () => {
    const metrics = createMetrics('test');
    for (const method of ['GET', 'PROPFIND', 'M-SEARCH']) metrics.observeRequest(method, 'other', 404, 0.1);
    const counts = (await metrics.render()).split('\n').filter((line) => line.includes('_seconds_count{'));
    expect(
      counts.filter((line) => line.includes('http_request')).map((line) => line.split(' ').at(-1)),
    ).to.deep.equal(['1', '2']);
  });
});

describe('Metrics gauge', () => {
  const PRESENT = [
    'labelled{state="busy",service="test"} 2',
    'labelled{state="idle",service="test"} 7',
    'other{service="test"} 1',
    'single{service="test"} 7',
  ];
  /**
   * Creates a gauge without labels and one with a label that share a reading, and a gauge that never fails.
   */
  const createGauges = (read: () => Promise<number | undefined>) => {
    const metrics = createMetrics('test');
    metrics.gauge('single', 'help', read);
    metrics.labeledGauge('labelled', 'help', 'state', async () => ({ busy: 2, idle: (await read()) ?? 0 }));
    metrics.gauge('other', 'help', () => 1);
    return async (): Promise<string[]> =>
      (await metrics.render()).split('\n').filter((line) => /^(single|labelled|other)\{/.test(line));
  };

  for (const [how, fail] of Object.entries(FAILURES))
    it(`omits its series if its read ${how}, and other metrics are served`, async () => {
      expect(await createGauges(fail)()).to.deep.equal(['other{service="test"} 1']);
    });

  it('omits its series after a failed read, and shows it again after a successful one', async () => {
    let read: () => Promise<number | undefined> = async () => 7;
    const scrape = createGauges(() => read());
    expect((await scrape()).sort()).to.deep.equal(PRESENT);
    read = async () => {
      throw new Error('connection lost');
    };
    expect(await scrape()).to.deep.equal(['other{service="test"} 1']);
    read = async () => 7;
    expect((await scrape()).sort()).to.deep.equal(PRESENT);
  });

  it('omits its series while the value is undefined, and shows 0', async () => {
    let value: number | undefined;
    const scrape = createGauges(async () => value);
    expect(await scrape()).not.to.include('single{service="test"} 0');
    value = 0;
    expect(await scrape()).to.include('single{service="test"} 0');
  });

  it('omits all labelled series while the values are undefined', async () => {
    let values: Record<string, number> | undefined = { busy: 2 };
    const metrics = createMetrics('test');
    metrics.labeledGauge('labelled', 'help', 'state', () => values);
    expect(await metrics.render()).to.include('labelled{state="busy",service="test"} 2');
    values = undefined;
    expect(await metrics.render()).not.to.match(/^labelled/m);
  });

  it('shares a slow read among concurrent scrapes', async () => {
    const metrics = createMetrics('test');
    let started = 0;
    const reading = Promise.withResolvers<number>();
    metrics.gauge('late', 'help', () => {
      started += 1;
      return reading.promise;
    });
    await Promise.all([metrics.render(), metrics.render()]);
    const scrape = metrics.render();
    reading.resolve(7);
    expect(await scrape).to.include('late{service="test"} 7');
    expect(started).to.equal(1);
    await metrics.render();
    expect(started).to.equal(2);
  });
});
