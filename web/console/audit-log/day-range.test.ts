import { expect } from 'chai';
import { dayBefore, toRange } from './day-range.ts';

describe('days of the audit log', () => {
  it('are both included, in the zone of the reader', () => {
    expect(toRange('2026-11-17', '2026-11-24')).to.deep.equal({
      from: new Date(2026, 10, 17).toISOString(),
      until: new Date(2026, 10, 25).toISOString(),
    });
    expect(toRange('2026-12-31', '2026-12-31').until).to.equal(new Date(2027, 0, 1).toISOString());
  });

  it('are ignored when an address has other text', () => {
    for (const text of [undefined, '', 'yesterday', '2026-1-1', '2026-11-24T00:00:00Z'])
      expect(toRange(text, text), text).to.deep.equal({ from: undefined, until: undefined });
  });

  it('are counted back over months and years', () => {
    expect(dayBefore(0, new Date(2026, 10, 27, 23, 59))).to.equal('2026-11-27');
    expect(dayBefore(29, new Date(2026, 0, 2))).to.equal('2025-12-04');
  });
});
