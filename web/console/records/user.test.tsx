import { expect } from 'chai';
import { isDeleted, nameOfUser } from './people.ts';
import { findPlatformRole, findSignInProblems, hasFewCodes, hasOtherRoles } from './user.ts';

const FACTS = {
  roles: ['ADMIN' as const],
  isBlocked: false,
  hasPassword: true,
  identities: [],
  pauses: [],
  secondFactors: { passkeys: 0 },
};

describe('user in the console', () => {
  it('is called by name, or else by the address', () => {
    expect(nameOfUser({ name: 'Jonas Weber', email: 'a@example.com' })).to.equal('Jonas Weber');
    expect(nameOfUser({ name: null, email: 'a@example.com' })).to.equal('a@example.com');
    expect([isDeleted({ email: 'deleted' }), isDeleted({ email: 'deleted@example.com' })]).to.deep.equal([
      true,
      false,
    ]);
  });

  it('may have a platform role besides others', () => {
    expect(findPlatformRole({ roles: ['CUSTOMER', 'OPERATOR'] })).to.equal('OPERATOR');
    expect(findPlatformRole({ roles: ['CUSTOMER'] })).to.equal(undefined);
    expect([
      hasOtherRoles({ roles: ['ADMIN', 'EMPLOYEE'] }),
      hasOtherRoles({ roles: ['ADMIN'] }),
    ]).to.deep.equal([true, false]);
  });

  it('has few recovery codes from two on', () => {
    const few = [3, 2].map((recoveryCodesLeft) =>
      hasFewCodes({ secondFactors: { totp: true, passkeys: 0, isRequired: true, recoveryCodesLeft } }),
    );
    expect(few).to.deep.equal([false, true]);
  });

  it('can sign in with a password, a passkey or a provider', () => {
    expect(findSignInProblems(FACTS)).to.deep.equal([]);
    const without = { ...FACTS, hasPassword: false };
    expect(findSignInProblems({ ...without, secondFactors: { passkeys: 1 } })).to.deep.equal([]);
    const identity = { id: '1', provider: 'company', email: null, linkedAt: '', lastUsedAt: null };
    expect(findSignInProblems({ ...without, identities: [identity] })).to.deep.equal([]);
    expect(findSignInProblems(without)).to.deep.equal([{ kind: 'noWay' }]);
  });

  it('cannot sign in without a role', () => {
    expect(findSignInProblems({ ...FACTS, roles: [] })).to.deep.equal([{ kind: 'noRole' }]);
  });

  it('cannot sign in while it is blocked or paused', () => {
    const pause = { secret: 'password' as const, until: '2026-11-24T15:00:00.000Z' };
    expect(findSignInProblems({ ...FACTS, isBlocked: true, pauses: [pause] })).to.deep.equal([
      { kind: 'blocked' },
      { kind: 'paused', ...pause },
    ]);
  });
});
