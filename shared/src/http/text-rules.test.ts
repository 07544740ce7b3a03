import { expect } from 'chai';
import { isInstant } from './text-rules.ts';

describe('format date-time', () => {
  it('accepts times that exist, with a time zone', () => {
    for (const text of [
      '2026-02-28T00:00:00Z',
      '2024-02-29t23:59:59.123456789z',
      '2026-12-31T23:59+14:00',
      '2026-06-30T23:59:59-12:30',
      '2000-02-29T12:00:00Z',
    ])
      expect(isInstant(text), text).to.equal(true);
  });

  it('rejects times that do not exist', () => {
    for (const text of [
      ...['2026-02-30T00:00:00Z', '2026-02-29T00:00:00Z', '1900-02-29T00:00:00Z', '2026-04-31T00:00:00Z'],
      ...['2026-13-01T00:00:00Z', '2026-00-01T00:00:00Z', '2026-01-00T00:00:00Z', '2026-01-32T00:00:00Z'],
      ...['2026-01-01T24:00:00Z', '2026-01-01T24:00Z', '2026-01-01T25:00:00Z', '2026-01-01T12:60:00Z'],
      ...['2016-12-31T23:59:60Z', '2026-01-01T00:00:00+24:00', '2026-01-01T00:00:00+01:60'],
      ...['2026-01-01', '2026-01-01T00:00:00', '2026-1-1T00:00:00Z', ' 2026-01-01T00:00:00Z'],
    ])
      expect(isInstant(text), text).to.equal(false);
  });
});
