import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { expect } from 'chai';
import pg from 'pg';
import { unavailable } from '../errors/app-error.ts';
import { getErrorType, recordException } from './span-errors.ts';

const SECRET = 'ada@example.com';
const FAKE_FRAME = `\n    at ${SECRET} (file:///${SECRET}:1:1)`;

const record = (error: unknown) => {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const span = provider.getTracer('test').startSpan('work');
  recordException(span, error);
  span.end();
  return exporter.getFinishedSpans()[0]?.events[0];
};

describe('exception in a span', () => {
  const messages = ['one line', '', `two lines\n${SECRET}`, SECRET, `fake frames${FAKE_FRAME}${FAKE_FRAME}`];
  for (const message of messages)
    it(`has the frames without the message ${JSON.stringify(message)}`, () => {
      const event = record(new TypeError(message));
      expect(event?.name).to.equal('exception');
      expect(Object.keys(event?.attributes ?? {})).to.have.members([
        'exception.type',
        'exception.stacktrace',
      ]);
      expect(event?.attributes?.['exception.type']).to.equal('TypeError');
      const stack = String(event?.attributes?.['exception.stacktrace']);
      expect(stack)
        .to.match(/^ {4}at .*span-errors\.test\.ts/)
        .and.not.include(SECRET);
    });

  it('has no frames when a library has changed the message, which V8 has copied to the stack', () => {
    for (const changed of ['another', '', 'before', `before${FAKE_FRAME.slice(0, 10)}`]) {
      const error = new Error(`before${FAKE_FRAME}`);
      error.message = changed;
      const stack = String(record(error)?.attributes?.['exception.stacktrace'] ?? '');
      expect(stack, JSON.stringify(changed)).not.to.include(SECRET);
    }
  });

  it('is the root cause', () => {
    const refused = Object.assign(new Error(SECRET), { code: 'ECONNREFUSED' });
    const error = unavailable('Retry later.', new Error('url failed', { cause: refused }));
    expect(record(error)?.attributes?.['exception.type']).to.equal('ECONNREFUSED');
  });
});

describe('error type of a span', () => {
  it('is the code or the class of the error', () => {
    const sqlError = Object.assign(new pg.DatabaseError(SECRET, 1, 'error'), { code: '23505' });
    expect(getErrorType(sqlError)).to.equal('23505');
    expect(getErrorType(new pg.DatabaseError(SECRET, 1, 'error'))).to.equal('DatabaseError');
    expect(getErrorType(unavailable('Retry later.'))).to.equal('SERVICE_UNAVAILABLE');
    expect(getErrorType(Object.assign(new RangeError('no'), { code: `A ${SECRET}` }))).to.equal('RangeError');
    expect(getErrorType(SECRET)).to.equal('string');
  });
});
