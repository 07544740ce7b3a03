import { SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { expect } from 'chai';
import { waitFor } from '../../testing/poll.ts';
import { startSentinels } from '../../testing/redis-sentinels.ts';
import { hasRedisServer, startRedis, startReplica } from '../../testing/redis-server.ts';
import { connectRedis } from '../redis/redis.ts';
import { startRedisSpans } from './redis-spans.ts';
import { createMayRecordChild } from './tracer.ts';
import { parseTraceparent, runInTrace } from './tracing.ts';

const TRACE = parseTraceparent('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01');
const SECRET = 'ada@example.com';

describe('Redis spans', () => {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const cleanups: (() => unknown)[] = [];
  before('require redis-server', function () {
    if (!hasRedisServer()) this.skip();
  });
  beforeEach('record spans', () => {
    exporter.reset();
    cleanups.push(startRedisSpans(provider.getTracer('test'), createMayRecordChild(false)));
  });
  afterEach('stop the engine', async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  const keep = <Engine extends { stop: () => unknown }>(engine: Engine): Engine => {
    cleanups.push(engine.stop);
    return engine;
  };
  const connect = async (url: string) => {
    const client = connectRedis(url, () => undefined);
    cleanups.push(() => client.destroy());
    await waitFor('the client is connected', () => client.isReady);
    return client;
  };
  const getSpans = () => exporter.getFinishedSpans();
  const getErrorAttributes = (failing: Promise<unknown>) =>
    failing.catch(() => getSpans().at(-1)?.attributes);

  const engines = {
    'a single server': async () => keep(await startRedis()).url,
    Sentinels: async () => {
      const primary = keep(await startRedis());
      keep(await startReplica(primary));
      return keep(await startSentinels(primary, { replicas: 1 })).url;
    },
  };
  for (const [engine, start] of Object.entries(engines))
    it(`contain the command, script and server of ${engine}, but no key and no value`, async () => {
      const client = await connect(await start());
      await waitFor('a primary accepts writes', () =>
        client.set(SECRET, SECRET, { EX: 60 }).then(
          () => true,
          () => false,
        ),
      );
      const unsampled = TRACE && { ...TRACE, traceFlags: TraceFlags.NONE, isRemote: false };
      await runInTrace(unsampled, () => client.get(SECRET));
      expect(getSpans()).to.deep.equal([], 'no span without a trace, or in an unsampled one');
      await runInTrace(TRACE, async () => {
        await client.get(SECRET);
        await client.eval("-- read-value\nreturn redis.call('GET', KEYS[1])", {
          keys: [SECRET],
          arguments: [SECRET],
        });
      });
      expect(getSpans().map(({ name }) => name)).to.deep.equal(['GET', 'EVAL read-value']);
      for (const { kind, parentSpanContext, attributes, status } of getSpans()) {
        expect(kind).to.equal(SpanKind.CLIENT);
        expect(parentSpanContext?.spanId).to.equal(TRACE?.spanId);
        expect(status.code).to.equal(SpanStatusCode.UNSET);
        expect(attributes).to.include({ 'db.system.name': 'redis', 'db.namespace': '0' });
        expect(attributes['server.address']).to.equal('127.0.0.1');
        expect(attributes['server.port']).to.be.a('number');
      }
      const recorded = getSpans().flatMap(({ name, attributes }) => [name, JSON.stringify(attributes)]);
      expect(recorded.join()).not.to.include(SECRET);
    });

  it('contain the code of an error reply, and the class of any other error', async () => {
    const server = keep(await startRedis());
    const client = await connect(server.url);
    await client.set(SECRET, SECRET, { EX: 60 });
    const write = () => client.set(SECRET, SECRET, { EX: 60 });
    const setMemory = (limit: string) => server.command('CONFIG', 'SET', 'maxmemory', limit);
    const expectCode = async (code: string, run: () => Promise<unknown>): Promise<void> => {
      const attributes = await getErrorAttributes(runInTrace(TRACE, run));
      expect(attributes).to.include({ 'error.type': code, 'db.response.status_code': code });
    };
    const fail = `return redis.error_reply('ERR ${SECRET}')`;
    await expectCode('WRONGTYPE', () => client.lRange(SECRET, 0, 1));
    await expectCode('ERR', () => client.eval(fail, { keys: [], arguments: [] }));
    await setMemory('1');
    await expectCode('OOM', write);
    await setMemory('0');
    await server.command('REPLICAOF', '127.0.0.1', '1');
    await expectCode('READONLY', write);
    client.destroy();
    const attributes = await getErrorAttributes(runInTrace(TRACE, () => client.get(SECRET)));
    expect(attributes).to.include({ 'error.type': 'ClientClosedError' });
    expect(attributes).not.to.have.property('db.response.status_code');
    expect(getSpans().length).to.equal(5);
    expect(getSpans().every(({ status }) => status.code === SpanStatusCode.ERROR)).to.equal(true);
    expect(
      getSpans()
        .map(({ attributes: found }) => JSON.stringify(found))
        .join(),
    ).not.to.include(SECRET);
  });
});
