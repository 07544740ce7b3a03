import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { expect } from 'chai';
import pg from 'pg';
import { unavailable } from '../errors/app-error.ts';
import { getErrorType, recordException } from './span-errors.ts';

const SECRET = 'ada@example.com';

const record = (error: unknown) => {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const span = provider.getTracer('test').startSpan('work');
  recordException(span, error);
  span.end();
  return exporter.getFinishedSpans()[0]?.events[0];
};

describe('exception in a span', () => {
  it('contains the type without the message and the stack', () => {
    const event = record(new TypeError(SECRET));
    expect(event).to.deep.include({ name: 'exception', attributes: { 'exception.type': 'TypeError' } });
  });

  it('names the root cause', () => {
    const refused = Object.assign(new Error(SECRET), { code: 'ECONNREFUSED' });
    const error = unavailable('Retry later.', new Error('url failed', { cause: refused }));
    expect(record(error)?.attributes?.['exception.type']).to.equal('ECONNREFUSED');
  });
});

describe('error type of a span', () => {
  it('names the code or the class of the error', () => {
    const sqlError = Object.assign(new pg.DatabaseError(SECRET, 1, 'error'), { code: '23505' });
    expect(getErrorType(sqlError)).to.equal('23505');
    expect(getErrorType(new pg.DatabaseError(SECRET, 1, 'error'))).to.equal('DatabaseError');
    expect(getErrorType(unavailable('Retry later.'))).to.equal('SERVICE_UNAVAILABLE');
    expect(getErrorType(Object.assign(new RangeError('no'), { code: `A ${SECRET}` }))).to.equal('RangeError');
    expect(getErrorType(SECRET)).to.equal('string');
  });
});
