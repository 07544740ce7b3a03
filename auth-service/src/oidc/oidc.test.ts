import { expect } from 'chai';
import { hasEmailClaims, requireSameResponse, toProviderClaims } from './oidc.ts';

describe('claims of a provider', () => {
  const token = { sub: 'person', iat: 1, email: 'token@example.com' };
  const userinfo = { sub: 'person', email: 'userinfo@example.com', email_verified: true, amr: ['mfa'] };

  it('take the e-mail and its verification from one source, and the second factor from the ID token', () => {
    for (const [claims, profile, expected] of [
      [token, token, { email: 'token@example.com', isEmailVerified: false }],
      [token, userinfo, { email: 'userinfo@example.com', isEmailVerified: true }],
      [token, { sub: 'person', email_verified: true }, { email: null, isEmailVerified: true }],
    ] as const)
      expect(toProviderClaims('issuer', claims, profile)).to.include({ ...expected, hasSecondFactor: false });
    expect(toProviderClaims('issuer', { ...token, amr: ['mfa'] }, token).hasSecondFactor).to.equal(true);
  });

  it('take the time of the authentication only from the ID token, and never a future one', () => {
    const authTimeOf = (claims: object, profile = {}) =>
      toProviderClaims('issuer', { ...token, ...claims }, { ...userinfo, ...profile }).authenticatedAt;
    expect(authTimeOf({}, { auth_time: 1 })).to.equal(undefined);
    expect(authTimeOf({ auth_time: 1 }, { auth_time: 2 })).to.equal(1);
    for (const invalid of ['1', -1, null]) expect(authTimeOf({ auth_time: invalid })).to.equal(undefined);
    expect(authTimeOf({ auth_time: 1e300 })).to.be.at.most(Date.now() / 1_000);
  });

  it('take the e-mail from the ID token only if it has both claims', () => {
    expect(hasEmailClaims(token)).to.equal(false);
    expect(hasEmailClaims({ email_verified: true })).to.equal(false);
    expect(hasEmailClaims({ ...token, email_verified: false })).to.equal(true);
  });

  it('have an e-mail only if a request could contain it', () => {
    for (const email of [
      ...['x@a..b.net', '.x@example.com', 'x@-a.net', undefined, '', 'x@example.com\n', ' x@example.com'],
      ...['<x@example.com>', 'x@example.com,evil@evil.example', 'evil@evil.example@example.com'],
      ...['"x"@example.com', 'x@ｅxample.com', 'x@example.com\0'],
    ])
      expect(toProviderClaims('issuer', token, { ...userinfo, email }).email, email).to.equal(null);
  });

  it('have a verified e-mail only if the provider says so', () => {
    const isVerified = (value: unknown) =>
      toProviderClaims('issuer', token, { ...userinfo, email_verified: value }).isEmailVerified;
    for (const value of [true, 'true']) expect(isVerified(value), String(value)).to.equal(true);
    for (const value of [false, undefined, null, 1, 'yes', 'false'])
      expect(isVerified(value), String(value)).to.equal(false);
  });

  it('have a name only if a profile could contain it, so that the sign-in succeeds without it', () => {
    const nameOf = (value: unknown) =>
      toProviderClaims('issuer', { ...token, given_name: value }, userinfo).firstName;
    for (const name of ['Ada', 'Жан-Люк', '李', ' Ada ']) expect(nameOf(name)).to.equal(name.trim());
    expect(nameOf('Jose\u0301')).to.equal('Jos\u00e9');
    expect(nameOf('e\u0301'.repeat(100))).to.equal('\u00e9'.repeat(100));
    for (const name of [
      'a\u202eb',
      'a\u2069b',
      'a\nb',
      'a\tb',
      'a\u0085b',
      'a\0',
      '\ud800',
      '-',
      'a'.repeat(101),
      7,
    ])
      expect(nameOf(name), JSON.stringify(name)).to.equal(undefined);
  });
});

describe('claims that bind an ID token to its response', () => {
  // The examples of OpenID Connect Core 1.0, A.3 and A.4. For Ed25519, SHA-512 of the same values.
  const response = {
    clientId: 'platform',
    code: 'Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk',
    accessToken: 'jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y',
  };
  const sha256 = { at_hash: '77QmUPtjPfzWtF2AnpK9RQ', c_hash: 'LDktKdoQak3Pk0cnXxCltA' };
  const sha512 = {
    at_hash: 'q7nS86GgvvFaZkzALLWqJYaJIKw2wCDAVfCAsm5CrBM',
    c_hash: 'E9z1C-c0Az4eTEzE0Nm3OQ3BS2BhMgxuP7x5JAQj1_4',
  };

  for (const [algorithm, valid, other] of [
    ['RS256', sha256, sha512],
    ['ES256', sha256, sha512],
    ['EdDSA', sha512, sha256],
    ['Ed25519', sha512, sha256],
  ] as const)
    it(`are hashed with the algorithm of the signature (${algorithm})`, () => {
      const check = (claims: object) => () => requireSameResponse({ ...claims }, algorithm, response);
      for (const claims of [{}, valid, { ...valid, azp: 'platform' }]) expect(check(claims)).not.to.throw();
      for (const claims of [{ at_hash: other.at_hash }, { c_hash: other.c_hash }, { azp: 'other' }])
        expect(check(claims), JSON.stringify(claims))
          .to.throw()
          .with.property('code', 'OIDC_RESPONSE_INVALID');
    });
});
