import { randomUUID } from 'node:crypto';
import { mock } from 'node:test';
import { expect } from 'chai';
import jsonwebtoken from 'jsonwebtoken';
import { createTokenKeys, createTokenVerifier, hashTokenId, signToken, verifyToken } from './tokens.ts';

describe('JSON Web Tokens', () => {
  const secret = 'a secret of at least thirty-two characters';
  const keys = createTokenKeys({ current: secret, previous: [] });
  const [key] = keys;
  const [userId, jti] = [randomUUID(), randomUUID()];
  const sign = (payload: object = {}, options: object = {}) =>
    jsonwebtoken.sign({ userId, roles: ['CUSTOMER'], ...payload }, secret, {
      jwtid: jti,
      expiresIn: 60,
      ...options,
    });

  it('verify to the signed claims', () => {
    const token = signToken(
      { userId, roles: ['ADMIN'], platformRole: 'ADMIN' },
      { key, jti, lifetimeSeconds: 60 },
    );
    const storedId = hashTokenId(key, jti);
    expect(storedId).not.to.equal(jti);
    const { iat: issuedAt, exp: expiresAt } = jsonwebtoken.decode(token) as jsonwebtoken.JwtPayload;
    const claims = { userId, jti, storedId, roles: ['ADMIN'], platformRole: 'ADMIN', issuedAt, expiresAt };
    expect(verifyToken(token, keys)).to.deep.equal(claims);
  });

  it('expire after their lifetime', () => {
    const token = signToken({ userId }, { key, jti, lifetimeSeconds: 90 });
    const { iat = 0, exp = 0 } = jsonwebtoken.decode(token) as jsonwebtoken.JwtPayload;
    expect(exp - iat).to.equal(90);
  });

  it('verify with a previous secret, and new tokens are signed with the current one', () => {
    const rotated = createTokenKeys({
      current: 'the secret that replaced it, as long as it must',
      previous: [secret],
    });
    expect(verifyToken(sign(), rotated)).to.deep.include({ jti });
    const renewed = signToken({ userId }, { key: rotated[0], jti, lifetimeSeconds: 60 });
    expect(verifyToken(renewed, rotated)).to.deep.include({ jti });
    expect(verifyToken(renewed, keys)).to.equal(undefined);
  });

  it('fail as strictly with a previous secret as with the current one', () => {
    const rotated = createTokenKeys({
      current: 'the secret that replaced it, as long as it must',
      previous: [secret],
    });
    for (const options of [{ algorithm: 'HS512' }, { expiresIn: -1 }, { notBefore: 60 }, { jwtid: 'mine' }])
      expect(verifyToken(sign({}, options), rotated)).to.equal(undefined);
    expect(verifyToken('e30.e30.', rotated)).to.equal(undefined);
  });

  it('keep only well-formed claims', () => {
    expect(verifyToken(sign({ roles: 'ADMIN', platformRole: ['ADMIN'] }), keys)).to.deep.include({
      roles: [],
      platformRole: undefined,
    });
    expect(verifyToken(sign({ roles: ['ADMIN', 1, null] }), keys)).to.deep.include({ roles: ['ADMIN'] });
  });
});

describe('remembered access tokens', () => {
  const keys = createTokenKeys({ current: 'a secret of at least thirty-two characters', previous: [] });
  const otherKeys = createTokenKeys({ current: 'another secret of thirty-two characters', previous: [] });
  const sign = (lifetimeSeconds = 60) =>
    signToken({ userId: randomUUID() }, { key: keys[0], jti: randomUUID(), lifetimeSeconds });
  afterEach('restore the clock', () => mock.timers.reset());

  it('are verified once', () => {
    const verify = createTokenVerifier();
    const token = sign();
    const claims = verify(token, keys);
    expect(claims).to.deep.equal(verifyToken(token, keys));
    expect(verify(token, keys)).to.equal(claims);
  });

  it('expire', () => {
    const verify = createTokenVerifier();
    mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const token = sign(60);
    mock.timers.tick(58_000);
    expect(verify(token, keys)).not.to.equal(undefined);
    mock.timers.tick(2_000);
    expect(verify(token, keys)).to.equal(undefined);
  });

  it('are rejected if their key is not among the keys, as after a rotation or for another kind', () => {
    const verify = createTokenVerifier();
    const token = sign();
    const rotated = [...otherKeys, ...keys];
    for (const [accepted, isValid] of [
      [otherKeys, false],
      [rotated, true],
      [otherKeys, false],
      [keys, true],
    ] as const)
      expect(verify(token, accepted) !== undefined).to.equal(isValid);
  });

  it('are limited to the 2,000 that were used last', () => {
    const verify = createTokenVerifier();
    const [first, second, ...others] = Array.from({ length: 2_001 }, () => sign());
    const claimsOf = (token = '') => verify(token, keys);
    const [firstClaims, secondClaims] = [claimsOf(first), claimsOf(second)];
    others.slice(0, -1).forEach(claimsOf);
    expect(claimsOf(first)).to.equal(firstClaims);
    claimsOf(others.at(-1));
    expect(claimsOf(first)).to.equal(firstClaims);
    expect(claimsOf(second)).not.to.equal(secondClaims);
  });
});
