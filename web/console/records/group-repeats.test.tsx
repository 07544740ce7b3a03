import { expect } from 'chai';
import { addressesOf, groupRepeats } from './group-repeats.ts';

type Item = Parameters<typeof groupRepeats>[0][number];

let lastId = 0;
const record = (minutesAgo: number, fields: Partial<Item> = {}): Item => {
  lastId += 1;
  return {
    id: String(lastId),
    action: 'SIGN_IN_FAILED',
    actorId: null,
    targetType: 'USER',
    targetId: 'mila',
    user: null,
    details: { reason: 'WRONG_PASSWORD', userAgent: `browser ${lastId}` },
    address: '203.0.113.7',
    createdAt: new Date(Date.UTC(2026, 10, 26, 12) - minutesAgo * 60_000).toISOString(),
    ...fields,
  };
};
const toIds = (records: Item[]) =>
  groupRepeats(records).map((group) => group.records.map(({ id }) => Number(id)));

describe('repeats in the audit log', () => {
  beforeEach(() => {
    lastId = 0;
  });

  it('are one group within 10 minutes of the newest', () => {
    expect(toIds([record(0), record(4), record(10), record(11), record(12)])).to.deep.equal([
      [1, 2, 3],
      [4, 5],
    ]);
  });

  it('are grouped among neighbours only', () => {
    const other = { targetId: 'noah' };
    expect(toIds([record(0), record(1), record(2, other), record(3)])).to.deep.equal([[1, 2], [3], [4]]);
  });

  it('are no blocks, which another action has reversed meanwhile, even if a filter hides it', () => {
    const blocked = { action: 'USER_BLOCKED', details: {} } as const;
    expect(toIds([record(0, blocked), record(1, blocked)])).to.deep.equal([[1], [2]]);
  });

  it('have the same action, reason, actor, target and person', () => {
    const others: Partial<Item>[] = [
      { action: 'SIGNED_IN' },
      { details: { reason: 'BLOCKED' } },
      { actorId: 'admin' },
      { targetId: 'noah' },
      { targetType: 'MAIL' },
      { user: { id: 'noah', name: 'Noah' } },
    ];
    for (const other of others) expect(toIds([record(0), record(1, other)])).to.have.lengthOf(2);
  });

  it('have a newest and an oldest record, and their addresses', () => {
    const [group] = groupRepeats([record(0), record(1, { address: '198.51.100.1' }), record(2)]);
    expect([group?.newest.id, group?.oldest.id]).to.deep.equal(['1', '3']);
    expect(group && addressesOf(group)).to.deep.equal(['203.0.113.7', '198.51.100.1']);
  });

  it('are none in an empty log', () => expect(groupRepeats([])).to.deep.equal([]));
});
