import { AppError } from '@platform/shared/errors/app-error';
import { expect } from 'chai';
import { type Caller, getPlatformRole, type Role } from './workspace.ts';

const roleOf = (...roles: Role[]): string => {
  try {
    return getPlatformRole({ roles } as Caller);
  } catch (error) {
    return error instanceof AppError ? `${error.status} ${error.code}` : String(error);
  }
};

describe('getPlatformRole', () => {
  it('is the one platform role, whatever other roles there are', () => {
    expect(roleOf('ADMIN')).to.equal('ADMIN');
    expect(roleOf('CUSTOMER', 'OPERATOR')).to.equal('OPERATOR');
    expect(roleOf('ARBITER', 'CUSTOMER', 'EMPLOYEE')).to.equal('ARBITER');
  });

  it('is refused without one, and with two', () => {
    for (const roles of [
      [],
      ['CUSTOMER'],
      ['ADMIN', 'OPERATOR'],
      ['ADMIN', 'OPERATOR', 'ARBITER'],
    ] as Role[][])
      expect(roleOf(...roles)).to.equal('403 PLATFORM_ROLE_INVALID');
  });
});
