import { TraceFlags } from '@opentelemetry/api';
import { expect } from 'chai';
import { extractTrace, formatTraceparent, parseTraceparent } from './tracing.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('W3C traceparent', () => {
  it('stays unchanged when parsed and formatted', () => {
    for (const flags of ['00', '01']) {
      const text = `00-${TRACE}-${SPAN}-${flags}`;
      const trace = parseTraceparent(text);
      expect(trace).to.deep.equal({
        traceId: TRACE,
        spanId: SPAN,
        traceFlags: Number(flags),
        isRemote: true,
      });
      expect(trace && formatTraceparent(trace)).to.equal(text);
    }
  });

  it('is parsed up to the known fields if its version is later', () => {
    expect(parseTraceparent(`cc-${TRACE}-${SPAN}-09-what-comes`)?.traceFlags).to.equal(TraceFlags.SAMPLED);
    expect(parseTraceparent(`cc-${TRACE}-${SPAN}-01.what`)).to.equal(undefined);
  });

  for (const text of [
    '',
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-`,
    `00-${TRACE}-${SPAN}-01\n`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-0x`,
    ` 00-${TRACE}-${SPAN}-01`,
  ])
    it(`excludes ${JSON.stringify(text)}, which is removed with its tracestate`, () => {
      const headers = { traceparent: text, tracestate: 'a=b', host: 'x' };
      expect(extractTrace(headers)).to.equal(undefined);
      expect(headers).to.deep.equal({ host: 'x' });
    });
});
