import { AppError } from '@platform/shared/errors/app-error';
import { expect } from 'chai';
import { requireBlockable, requireUnblockable } from './user.ts';

const refusalOf = (decide: () => void): string => {
  try {
    decide();
    return 'allowed';
  } catch (error) {
    return error instanceof AppError ? `${error.status} ${error.code}` : String(error);
  }
};

describe('requireBlockable', () => {
  it('judges in this order: found, not an ADMIN, not blocked yet', () => {
    expect(refusalOf(() => requireBlockable(undefined))).to.equal('404 USER_NOT_FOUND');
    const refusal = (isBlocked: boolean, ...roles: string[]) =>
      refusalOf(() => requireBlockable({ isBlocked, roles }));
    expect(refusal(true, 'ADMIN')).to.equal('403 USER_IS_ADMIN');
    expect(refusal(false, 'CUSTOMER', 'ADMIN')).to.equal('403 USER_IS_ADMIN');
    expect(refusal(true, 'CUSTOMER')).to.equal('400 USER_ALREADY_BLOCKED');
    expect(refusal(false, 'OPERATOR')).to.equal('allowed');
    expect(refusal(false)).to.equal('allowed');
  });
});

describe('requireUnblockable', () => {
  it('refuses nobody but an unknown user and one who is not blocked', () => {
    expect(refusalOf(() => requireUnblockable(undefined))).to.equal('404 USER_NOT_FOUND');
    expect(refusalOf(() => requireUnblockable({ isBlocked: false, roles: [] }))).to.equal(
      '400 USER_NOT_BLOCKED',
    );
    expect(refusalOf(() => requireUnblockable({ isBlocked: true, roles: ['ADMIN'] }))).to.equal('allowed');
  });
});
