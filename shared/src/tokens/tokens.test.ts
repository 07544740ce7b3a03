import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import jsonwebtoken from 'jsonwebtoken';
import { createTokenKeys, hashTokenId, parseBearerToken, signToken, verifyToken } from './tokens.ts';

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
    const claims = { userId, jti, storedId, roles: ['ADMIN'], platformRole: 'ADMIN' };
    expect(verifyToken(token, keys)).to.deep.equal(claims);
  });

  it('expire after their lifetime', () => {
    const token = signToken({ userId }, { key, jti, lifetimeSeconds: 90 });
    const { iat = 0, exp = 0 } = jsonwebtoken.decode(token) as jsonwebtoken.JwtPayload;
    expect(exp - iat).to.equal(90);
  });

  it('verify with a previous secret, and new ones have the current one', () => {
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
    expect(verifyToken(sign({ roles: 'ADMIN', platformRole: ['ADMIN'] }), keys)).to.deep.equal({
      userId,
      jti,
      storedId: hashTokenId(key, jti),
      roles: [],
      platformRole: undefined,
    });
    expect(verifyToken(sign({ roles: ['ADMIN', 1, null] }), keys)).to.deep.include({ roles: ['ADMIN'] });
  });

  it('come from a Bearer header only', () => {
    expect(parseBearerToken('Bearer a.b-c_d')).to.equal('a.b-c_d');
    expect(parseBearerToken('bearer   a.b.c')).to.equal('a.b.c');
    for (const header of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Basic a',
      'a.b.c',
      'Bearer a b',
      'xBearer a',
      'Bearer a\n',
    ])
      expect(parseBearerToken(header), header).to.equal(undefined);
  });
});
