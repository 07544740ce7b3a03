import { expect } from 'chai';
import { countDays, listShownDays } from './days.ts';

const toDays = (signIns: readonly number[]) =>
  signIns.map((count, index) => ({
    day: `2026-11-${String(index + 1).padStart(2, '0')}`,
    signUps: { customers: count, employees: 1 },
    signIns: count,
    failedSignIns: 0,
  }));

describe('days of the overview', () => {
  const days = toDays(Array.from({ length: 28 }, (_, index) => (index < 14 ? 2 : 3)));

  it('are the last 14 with today, and their sum is compared with the 14 before', () => {
    expect(listShownDays(days)).to.have.length(14).and.include('2026-11-28').and.not.include('2026-11-14');
    expect(countDays(days, 'signIns')).to.include({ total: 42, before: 28, change: 0.5 });
    expect(countDays(days, 'signUps')).to.include({ total: 56, before: 42 });
  });

  it('have no percentage over zero', () => {
    expect(countDays(days, 'failedSignIns')).to.include({ total: 0, before: 0, change: undefined });
  });
});
