import { expect } from 'chai';
import { AppError } from '../../errors/app-error.ts';
import { createSecondFactorRequirement, isOneFactor, type SignInMethod } from './caller.ts';
import type { PlatformRole } from './platform-role.ts';

const judge = (requiredFor: PlatformRole[], roles: string[], ...methods: SignInMethod[]): string => {
  try {
    createSecondFactorRequirement(requiredFor)({ account: { roles }, methods });
    return 'allowed';
  } catch (error) {
    return error instanceof AppError ? `${error.status} ${error.code}` : String(error);
  }
};

const REFUSED = '403 SECOND_FACTOR_ENROLMENT_REQUIRED';

describe('second factor requirement', () => {
  it('rejects a session that was signed in with only a password or a provider', () => {
    expect(judge(['ADMIN'], ['ADMIN'], 'password')).to.equal(REFUSED);
    expect(judge(['ADMIN', 'ARBITER'], ['ARBITER', 'CUSTOMER'], 'password')).to.equal(REFUSED);
    expect(judge(['ADMIN'], ['ADMIN'])).to.equal(REFUSED);
    expect(judge(['ADMIN'], ['ADMIN'], 'oidc:company')).to.equal(REFUSED);
  });

  it('accepts a session with a second factor or a passkey', () => {
    expect(judge(['ADMIN'], ['ADMIN'], 'password', 'totp')).to.equal('allowed');
    expect(judge(['ADMIN'], ['ADMIN'], 'password', 'recovery-code')).to.equal('allowed');
    expect(judge(['ADMIN'], ['ADMIN'], 'password', 'passkey')).to.equal('allowed');
    expect(judge(['ADMIN'], ['ADMIN'], 'passkey')).to.equal('allowed');
    expect(judge(['ADMIN'], ['ADMIN'], 'oidc:company', 'mfa')).to.equal('allowed');
  });

  it('applies only to the listed platform roles', () => {
    expect(judge([], ['ADMIN'], 'password')).to.equal('allowed');
    expect(judge(['ADMIN'], ['OPERATOR'], 'password')).to.equal('allowed');
    expect(judge(['ADMIN', 'OPERATOR', 'ARBITER'], ['CUSTOMER', 'EMPLOYEE'], 'password')).to.equal('allowed');
  });
});

describe('isOneFactor', () => {
  it('returns true only for a password or a provider alone', () => {
    expect(isOneFactor(['password'])).to.equal(true);
    expect(isOneFactor(['passkey'])).to.equal(false);
    expect(isOneFactor(['password', 'totp'])).to.equal(false);
  });
});
