import { expect } from 'chai';
import { stageOf, subjectOf } from '../records/request-state.tsx';
import { isLate, placesOf } from './request.ts';

describe('request', () => {
  const assignee = { id: 'a', email: 'a@example.com', name: null };

  it('is new until somebody has it, and done whoever has it', () => {
    expect(stageOf({ doneAt: null, assignee: null }).name).to.equal('new');
    expect(stageOf({ doneAt: null, assignee }).name).to.equal('work');
    expect(stageOf({ doneAt: '2026-11-27T10:00:00.000Z', assignee }).name).to.equal('done');
  });

  it('has the first line of its message as subject if it has none', () => {
    expect(subjectOf({ subject: 'Refund', message: 'Help' })).to.equal('Refund');
    expect(subjectOf({ subject: null, message: '\n \nA shop\nfor bread' })).to.equal('A shop');
    expect(subjectOf({ subject: null, message: null })).to.equal('');
  });

  it('is late after four hours, unless it is done', () => {
    const createdAt = '2026-11-27T10:00:00.000Z';
    const now = Date.parse(createdAt) + 4 * 3_600_000;
    expect(isLate({ createdAt, doneAt: null }, now)).to.equal(false);
    expect(isLate({ createdAt, doneAt: null }, now + 1)).to.equal(true);
    expect(isLate({ createdAt, doneAt: createdAt }, now + 1)).to.equal(false);
  });

  it('has a position and neighbours in the list, also on the pages beside its own', () => {
    const list = { ids: ['a', 'b', 'c'], page: 2, perPage: 3, total: 7 };
    const at = (request: string, page = 2) => ({ page, request });
    expect(placesOf(list, 'b')).to.deep.equal({ position: 5, previous: at('a'), next: at('c') });
    expect(placesOf(list, 'a').previous).to.deep.equal(at('last', 1));
    expect(placesOf(list, 'c').next).to.deep.equal(at('first', 3));
    expect(placesOf({ ...list, total: 6 }, 'c').next).to.equal(undefined);
    expect(placesOf(list, 'x')).to.deep.equal({ position: undefined, previous: undefined, next: at('a') });
  });
});
