import { AppError } from '@platform/shared/errors/app-error';
import { expect } from 'chai';
import { requireAnotherAdministrator, type TeamMember, toTeamPage } from './team.ts';

const member = (employeeId: string, role: TeamMember['role'], status: TeamMember['status']): TeamMember => ({
  employeeId,
  role,
  status,
  canSign: false,
  canSubmit: false,
  removedAt: null,
});

describe('requireAnotherAdministrator', () => {
  const mayLeave = (members: TeamMember[], leavingId: string): boolean => {
    try {
      requireAnotherAdministrator(members, leavingId);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'LAST_TEAM_ADMINISTRATOR') return false;
      throw error;
    }
  };
  const leader = member('leader', 'ADMINISTRATOR', 'ACTIVE');

  it('counts the active administrators alone', () => {
    const others = [
      member('invited', 'ADMINISTRATOR', 'INVITED'),
      member('removed', 'ADMINISTRATOR', 'REMOVED'),
      member('member', 'MEMBER', 'ACTIVE'),
    ];
    expect(mayLeave([leader, ...others], 'leader')).to.equal(false);
    expect(mayLeave([leader, ...others, member('second', 'ADMINISTRATOR', 'ACTIVE')], 'leader')).to.equal(
      true,
    );
  });

  it('lets everybody else go', () => {
    const invited = member('invited', 'ADMINISTRATOR', 'INVITED');
    const plain = member('member', 'MEMBER', 'ACTIVE');
    for (const { employeeId } of [invited, plain])
      expect(mayLeave([leader, invited, plain], employeeId)).to.equal(true);
  });

  it('lets a member leave a team that has no administrator', () => {
    expect(mayLeave([member('member', 'MEMBER', 'ACTIVE')], 'member')).to.equal(true);
  });
});

describe('toTeamPage', () => {
  it('has the defaults of the domain', () => {
    expect(toTeamPage({})).to.deep.equal({ page: 1, perPage: 10 });
    expect(toTeamPage({ page: 2, status: 'ACTIVE' })).to.deep.equal({ page: 2, perPage: 10 });
    expect(toTeamPage({ perPage: 100 })).to.deep.equal({ page: 1, perPage: 100 });
  });
});
