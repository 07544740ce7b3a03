import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto';
import jsonwebtoken, { type JwtPayload, type SignOptions } from 'jsonwebtoken';

type Fields = Record<string, unknown>;

const encode = (part: Fields | string): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');

/** Returns a token with any header and payload, signed with an HMAC. */
const assemble = (header: Fields, payload: Fields | string, secret: string, digest = 'sha256'): string => {
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${createHmac(digest, secret).update(signed).digest('base64url')}`;
};

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });

/**
 * Invalid tokens by their defect, each derived from `genuine`, which is valid. `secret` is the real secret,
 * with which an attacker could forge everything except a registered token id.
 */
export const forgedTokens = (genuine: string, secret: string): Record<string, string> => {
  const claims = jsonwebtoken.decode(genuine) as JwtPayload;
  const [header = '', payload = '', signature = ''] = genuine.split('.');
  const hs256 = { alg: 'HS256', typ: 'JWT' };
  const now = Math.floor(Date.now() / 1_000);
  const { exp: _exp, jti: _jti, userId: _userId, iat: _iat, ...others } = claims;
  const signed = (changes: Fields, options: SignOptions = {}) =>
    jsonwebtoken.sign({ ...claims, ...changes }, secret, { algorithm: 'HS256', ...options });
  const without = (name: string) =>
    assemble(hs256, Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name)), secret);

  return {
    'without a signature, alg none': `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    'with its own signature, alg none': `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.${signature}`,
    'without a signature, alg NoNe': `${encode({ alg: 'NoNe', typ: 'JWT' })}.${payload}.`,
    'without a signature': `${header}.${payload}.`,
    'signed by HS512 with the right secret': signed({}, { algorithm: 'HS512' }),
    'signed by HS384 with the right secret': signed({}, { algorithm: 'HS384' }),
    'that says RS256 and is signed with the secret': assemble({ alg: 'RS256', typ: 'JWT' }, claims, secret),
    'signed by RS256 with a new key': jsonwebtoken.sign(claims, privateKey, { algorithm: 'RS256' }),
    'without an algorithm': assemble({ typ: 'JWT' }, claims, secret),
    'signed with another secret': jsonwebtoken.sign(claims, `${secret}x`),
    'signed with an empty secret': assemble(hs256, claims, ''),
    'that names an unknown key': assemble({ ...hs256, kid: 'unknown' }, claims, 'the secret of that key'),
    'that names a file as its key': assemble({ ...hs256, kid: '../../../dev/null' }, claims, ''),
    'that brings its own key': assemble({ ...hs256, jwk: { kty: 'oct', k: encode('mine') } }, claims, 'mine'),
    'with an edited payload': `${header}.${encode({ ...claims, roles: ['ROOT'] })}.${signature}`,
    'with an edited signature': `${header}.${payload}.${signature.slice(0, -6)}AAAAAA`,
    'with a shortened signature': `${header}.${payload}.${signature.slice(0, 20)}`,
    'of another id, never registered': signed({ jti: randomUUID() }),
    'of another user': signed({ userId: randomUUID() }),
    'that expired a second ago': signed({ exp: now - 1 }),
    'that is not valid yet': signed({ nbf: now + 600 }),
    'that never expires': without('exp'),
    'with a text as its end': assemble(hs256, { ...claims, exp: 'never' }, secret),
    'without an id': without('jti'),
    'without a user': without('userId'),
    'with an id that is no UUID': signed({ jti: "' or 1=1 --" }),
    'with a user that is no UUID': signed({ userId: '*' }),
    'with a list as its id': assemble(hs256, { ...claims, jti: [claims.jti] }, secret),
    'with an object as its user': assemble(hs256, { ...claims, userId: { $ne: null } }, secret),
    'with a text as its payload': assemble(hs256, 'claims', secret),
    'with a payload that is not JSON and no right signature': `${header}.${encode('{')}.${signature}`,
    'with no claims but the standard ones': assemble(hs256, { ...others, exp: now + 600 }, secret),
    'with the payload of a list': assemble(hs256, '[]', secret),
    'of two parts': `${header}.${payload}`,
    'of four parts': `${genuine}.${signature}`,
    'of empty parts': '..',
    'with NUL in its header': `${encode('{"alg":"HS256"\0}')}.${payload}.${signature}`,
    'of garbage': 'garbage',
    'of eight thousand characters': 'a.'.repeat(4_000),
  };
};
