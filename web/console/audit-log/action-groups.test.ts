import { expect } from 'chai';
import { ACTION_GROUPS, actionsOf } from './action-groups.ts';

describe('groups of actions', () => {
  it('have each action once', () => {
    const all = Object.values(ACTION_GROUPS).flat();
    expect(new Set(all).size).to.equal(all.length);
  });

  it('are asked for by their actions, and a single action by its name', () => {
    expect(actionsOf('blocks')).to.include('USER_BLOCKED').and.include('ROLE_REMOVED');
    expect(actionsOf('USER_BLOCKED')).to.deep.equal(['USER_BLOCKED']);
    expect(actionsOf('constructor')).to.deep.equal(['constructor']);
    expect(actionsOf(undefined)).to.equal(undefined);
  });
});
