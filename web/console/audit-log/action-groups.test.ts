import { AUDIT_ACTIONS } from '@platform/shared/platform/audit/audit-actions';
import { expect } from 'chai';
import { ACTION_GROUPS, actionsOf } from './action-groups.ts';

describe('groups of actions', () => {
  it('have each action once', () => {
    const all: string[] = Object.values(ACTION_GROUPS).flat();
    expect(all.toSorted()).to.deep.equal(AUDIT_ACTIONS.toSorted());
  });

  it('are asked for by their actions, and a single action by its name', () => {
    expect(actionsOf('blocks')).to.include('USER_BLOCKED').and.include('ROLE_REMOVED');
    expect(actionsOf('USER_BLOCKED')).to.deep.equal(['USER_BLOCKED']);
    expect(actionsOf('teams.TEAM_VERIFIED.USER_BLOCKED')).to.deep.equal([
      ...ACTION_GROUPS.teams,
      'USER_BLOCKED',
    ]);
    expect(actionsOf('constructor')).to.deep.equal(['constructor']);
    expect(actionsOf(undefined)).to.equal(undefined);
  });
});
