import { expect } from 'chai';
import { AppError } from '../errors/app-error.ts';
import { getPlatformRole } from './platform-role.ts';

const roleOf = (...roles: string[]): string => {
  try {
    return getPlatformRole(roles);
  } catch (error) {
    return error instanceof AppError ? `${error.status} ${error.code}` : String(error);
  }
};

describe('getPlatformRole', () => {
  it('returns the platform role among other roles', () => {
    expect(roleOf('ADMIN')).to.equal('ADMIN');
    expect(roleOf('CUSTOMER', 'OPERATOR')).to.equal('OPERATOR');
    expect(roleOf('ARBITER', 'CUSTOMER', 'EMPLOYEE')).to.equal('ARBITER');
  });

  it('throws 403 without a platform role and with two', () => {
    for (const roles of [[], ['CUSTOMER'], ['ADMIN', 'OPERATOR'], ['ADMIN', 'OPERATOR', 'ARBITER']])
      expect(roleOf(...roles)).to.equal('403 PLATFORM_ROLE_INVALID');
  });
});
