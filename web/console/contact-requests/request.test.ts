import { expect } from 'chai';
import { isLate, neighboursOf, stageOf, subjectOf } from './request.ts';

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

  it('has neighbours in the list, of which the first is next for one that is not in it', () => {
    expect(neighboursOf(['a', 'b', 'c'], 'b')).to.deep.equal({ previous: 'a', next: 'c' });
    expect(neighboursOf(['a', 'b'], 'b')).to.deep.equal({ previous: 'a', next: undefined });
    expect(neighboursOf(['a', 'b'], 'x')).to.deep.equal({ previous: undefined, next: 'a' });
  });
});
