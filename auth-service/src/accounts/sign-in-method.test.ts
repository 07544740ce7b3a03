import { expect } from 'chai';
import { type OfferedMethods, requireSignInMethod, type SignInMethods } from './sign-in-method.ts';

const ISSUER = 'https://login.example.com';
const provider = (issuer: string, ...kinds: OfferedMethods['oidc']['providers'][number]['kinds']) => ({
  webauthn: undefined,
  oidc: { providers: [{ issuer, kinds }] },
});
const NOTHING: OfferedMethods = { webauthn: undefined, oidc: { providers: [] } };
const NONE: SignInMethods = { hasPassword: false, hasPasskey: false, issuers: [] };
const LINKED = { ...NONE, issuers: [ISSUER] };
const PASSKEY = { ...NONE, hasPasskey: true };

describe('way to sign in that an account keeps', () => {
  const cases: [isKept: boolean, what: string, SignInMethods, roles: string[], OfferedMethods][] = [
    [true, 'a password', { ...NONE, hasPassword: true }, ['CUSTOMER'], NOTHING],
    [true, 'a passkey', PASSKEY, ['CUSTOMER'], { ...NOTHING, webauthn: {} }],
    [false, 'a passkey where passkeys are not offered', PASSKEY, ['CUSTOMER'], NOTHING],
    [true, 'an identity', LINKED, ['CUSTOMER'], provider(ISSUER, 'customer')],
    [true, 'an identity with a slash', LINKED, ['EMPLOYEE'], provider(`${ISSUER}/`, 'employee')],
    [false, 'an identity at a former provider', LINKED, ['CUSTOMER'], provider(`${ISSUER}/x`, 'customer')],
    [false, 'an identity for another kind', LINKED, ['CUSTOMER'], provider(ISSUER, 'employee')],
    [
      false,
      'an identity for others than administrators',
      LINKED,
      ['CUSTOMER', 'OPERATOR'],
      provider(ISSUER, 'customer'),
    ],
    [true, 'an identity for administrators', LINKED, ['OPERATOR'], provider(ISSUER, 'administrator')],
    [false, 'a configured provider without an identity', NONE, ['CUSTOMER'], provider(ISSUER, 'customer')],
  ];
  for (const [isKept, what, methods, roles, offered] of cases)
    it(`is ${isKept ? '' : 'not '}${what}`, () => {
      const judge = () => requireSignInMethod(methods, roles, offered);
      if (isKept) expect(judge).not.to.throw();
      else expect(judge).to.throw().with.property('code', 'LAST_SIGN_IN_METHOD');
    });
});
