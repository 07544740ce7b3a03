import { AppError } from '@platform/shared/errors/app-error';
import { expect } from 'chai';
import { requireBlockable, requireUnblockable } from './user.ts';

const getOutcome = (check: () => void): string => {
  try {
    check();
    return 'allowed';
  } catch (error) {
    return error instanceof AppError ? `${error.status} ${error.code}` : String(error);
  }
};

describe('requireBlockable', () => {
  it('checks first whether the user is an ADMIN, then whether the user is blocked', () => {
    const outcome = (isBlocked: boolean, ...roles: string[]) =>
      getOutcome(() => requireBlockable({ isBlocked, roles }));
    expect(outcome(true, 'ADMIN')).to.equal('403 USER_IS_ADMIN');
    expect(outcome(false, 'CUSTOMER', 'ADMIN')).to.equal('403 USER_IS_ADMIN');
    expect(outcome(true, 'CUSTOMER')).to.equal('400 USER_ALREADY_BLOCKED');
    expect(outcome(false, 'OPERATOR')).to.equal('allowed');
    expect(outcome(false)).to.equal('allowed');
  });
});

describe('requireUnblockable', () => {
  it('rejects only users who are not blocked', () => {
    expect(getOutcome(() => requireUnblockable({ isBlocked: false, roles: [] }))).to.equal(
      '400 USER_NOT_BLOCKED',
    );
    expect(getOutcome(() => requireUnblockable({ isBlocked: true, roles: ['ADMIN'] }))).to.equal('allowed');
  });
});
