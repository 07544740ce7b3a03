import { AppError } from '@platform/shared/errors/app-error';
import { expect } from 'chai';
import { requireRemainingAdministrator, type TeamMember } from './team.ts';

const member = (employeeId: string, role: TeamMember['role'], status: TeamMember['status']): TeamMember => ({
  employeeId,
  role,
  status,
  canSign: false,
  canSubmit: false,
  removedAt: null,
});

describe('requireRemainingAdministrator', () => {
  const mayLeave = (members: TeamMember[], leavingId: string): boolean => {
    try {
      requireRemainingAdministrator(members, leavingId);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'LAST_TEAM_ADMINISTRATOR') return false;
      throw error;
    }
  };
  const leader = member('leader', 'ADMINISTRATOR', 'ACTIVE');

  it('counts only active administrators', () => {
    const otherMembers = [
      member('invited', 'ADMINISTRATOR', 'INVITED'),
      member('removed', 'ADMINISTRATOR', 'REMOVED'),
      member('member', 'MEMBER', 'ACTIVE'),
    ];
    expect(mayLeave([leader, ...otherMembers], 'leader')).to.equal(false);
    expect(
      mayLeave([leader, ...otherMembers, member('second', 'ADMINISTRATOR', 'ACTIVE')], 'leader'),
    ).to.equal(true);
  });

  it('lets other members leave', () => {
    const invited = member('invited', 'ADMINISTRATOR', 'INVITED');
    const regular = member('member', 'MEMBER', 'ACTIVE');
    for (const { employeeId } of [invited, regular])
      expect(mayLeave([leader, invited, regular], employeeId)).to.equal(true);
  });

  it('lets a member leave a team that has no administrator', () => {
    expect(mayLeave([member('member', 'MEMBER', 'ACTIVE')], 'member')).to.equal(true);
  });
});
