import { expect } from 'chai';
import { joinMembers, nameOfMember } from './members.ts';

const member = (
  employeeId: string,
  role: 'ADMINISTRATOR' | 'MEMBER',
  status: 'ACTIVE' | 'REMOVED' = 'ACTIVE',
) => ({
  employeeId,
  role,
  status,
  canSign: false,
  canSubmit: false,
  removedAt: null,
});
const card = (employeeId: string) => ({
  employeeId,
  userId: `user-${employeeId}`,
  email: `${employeeId}@example.com`,
  firstName: null,
  lastName: null,
  phone: null,
  isBlocked: false,
  isEmailVerified: true,
  teams: [],
});

describe('members of a team', () => {
  it('are listed with their cards, administrators first, without removed ones', () => {
    const members = [member('a', 'MEMBER'), member('b', 'ADMINISTRATOR'), member('c', 'MEMBER', 'REMOVED')];
    const joined = joinMembers(members, [card('a'), card('c')]);
    expect(joined.map(({ member: { employeeId }, card: found }) => [employeeId, found?.email])).to.deep.equal(
      [
        ['b', undefined],
        ['a', 'a@example.com'],
      ],
    );
  });

  it('are called by name, or else by the address', () => {
    expect(nameOfMember({ ...card('a'), firstName: 'Ada', lastName: 'Byron' })).to.equal('Ada Byron');
    expect(nameOfMember(card('a'))).to.equal('a@example.com');
  });
});
