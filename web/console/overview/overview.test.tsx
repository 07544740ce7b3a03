import { waitFor } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { answer, listSent } from '../../testing/contract.ts';
import { expectNoText, expectText } from '../../testing/expectations.ts';
import { press } from '../../testing/screen.ts';
import { renderConsole } from '../testing/render-console.tsx';
import { readLastVisit } from '../visit.ts';
import { Overview } from './overview.tsx';

const DAY = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString();

describe('overview', () => {
  const open = (path = '/') => renderConsole(<Overview />, path);
  const days = Array.from({ length: 28 }, (_, index) => ({
    day: daysAgo(27 - index).slice(0, 10),
    signUps: { customers: index < 14 ? 1 : 2, employees: 0 },
    signIns: 10,
    failedSignIns: 0,
  }));
  const waiting = {
    teams: { count: 4, oldestAt: daysAgo(2) },
    contactRequests: { count: 0, oldestAt: null },
    failedMails: { count: 1, oldestAt: daysAgo(0) },
  };
  const answerWith = (fields: object = {}) =>
    answer('getStatistics', { body: () => ({ days, waiting, ...fields }) });
  const textOf = (selector: string) =>
    [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);

  it('says what waits, and where nothing does', async () => {
    answerWith();
    await open();
    await expectText('Nothing waits');
    expect(textOf('.third-row a .third-number')).to.deep.equal(['4', '0', '1']);
    expect(document.querySelector('a.third time')?.getAttribute('datetime')).to.equal(waiting.teams.oldestAt);
  });

  it('has its shape before the numbers are known', async () => {
    const loading = Promise.withResolvers<void>();
    answer('getStatistics', { body: () => ({ days, waiting }), after: loading.promise });
    await open();
    await expectText('Teams to verify');
    await expectText('Failed sign-ins');
    await expectNoText('Nothing waits');
    await expectNoText('Show the numbers');
    loading.resolve();
    await expectText('Nothing waits');
  });

  it('compares the last 14 days with those before, and shows the numbers as a table', async () => {
    answerWith();
    await open();
    await expectText('+100%');
    expect(textOf('div > .third-number')[0]).to.equal('28 +100%');
    expect(document.querySelectorAll('.chart')[0]?.querySelectorAll('rect')).to.have.length(14);
    expect(document.querySelector('table.numbers')).to.equal(null);
    await press('Show the numbers');
    expect(document.querySelectorAll('table.numbers tbody tr')).to.have.length(14);
  });

  it('lists the latest actions of people, without sign-ins', async () => {
    answerWith();
    await open();
    await expectText('Latest actions');
    expect(Object.fromEntries(listSent('listAuditLog')[0]?.query ?? [])).to.include({
      hideSignIns: 'true',
    });
  });

  it('loads again by a button', async () => {
    answerWith();
    await open();
    await expectText('Nothing waits');
    const before = listSent('getStatistics').length;
    await press('Load again');
    await waitFor(() => expect(listSent('getStatistics').length).to.be.greaterThan(before));
  });

  it('says what came since the last visit, but nothing at the first one', async () => {
    answerWith();
    await open();
    await expectText('Latest actions');
    await expectNoText('Since your last visit');
    expect([...(listSent('getStatistics')[0]?.query.keys() ?? [])]).to.deep.equal(['days']);
  });

  describe('last visit', () => {
    const KEY = 'platform.visit.ada';
    it('is that of the browser until the tab has one, and at most 89 days ago', () => {
      expect(readLastVisit('ada')).to.equal(undefined);
      localStorage.setItem(KEY, daysAgo(200));
      expect(Date.parse(readLastVisit('ada') ?? '')).to.be.closeTo(Date.now() - 89 * DAY, 5_000);
      localStorage.setItem(KEY, daysAgo(3));
      sessionStorage.setItem(KEY, daysAgo(5));
      expect(Date.parse(readLastVisit('ada') ?? '')).to.be.closeTo(Date.now() - 5 * DAY, 5_000);
    });

    it('is no time of another person, and none that cannot be read', () => {
      localStorage.setItem(KEY, 'yesterday');
      expect(readLastVisit('ada')).to.equal(undefined);
      localStorage.setItem('platform.visit.bob', daysAgo(1));
      expect(readLastVisit('ada')).to.equal(undefined);
    });
  });
});
