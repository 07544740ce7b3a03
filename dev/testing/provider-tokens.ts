import {
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTHeaderParameters,
  SignJWT,
  UnsecuredJWT,
} from 'jose';

/** How a token is signed; only `RS256` is valid. */
export const SIGNATURES = [
  'RS256',
  'RS256 with another key',
  'RS256 with an unknown kid',
  'RS256 without a kid and with another key',
  'HS256 with the public key',
  'HS256 with the client secret',
  'none',
  'edited after signing',
] as const;
export type Signature = (typeof SIGNATURES)[number];

const kid = 'published';

/** Flips the first character of the signature. */
const editSignature = (token: string): string => {
  const [head = '', signature = ''] = token.split(/\.(?=[^.]*$)/);
  return `${head}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
};

/** Signs tokens with an RSA key whose public part is `publicKey`, or as an attacker would. */
export const createTokenSigner = async (clientSecret: string) => {
  const [published, other] = await Promise.all(
    [0, 1].map(() => generateKeyPair('RS256', { extractable: true })),
  );
  if (published === undefined || other === undefined) throw new Error('No key pairs');
  const encoder = new TextEncoder();
  const publicKeyText = encoder.encode(await exportSPKI(published.publicKey));

  const sign = async (
    claims: Record<string, unknown>,
    signature: Signature = 'RS256',
    typ = 'JWT',
  ): Promise<string> => {
    const signWith = (key: CryptoKey | Uint8Array, header: JWTHeaderParameters) =>
      new SignJWT(claims).setProtectedHeader({ typ, ...header }).sign(key);
    const rs256 = { alg: 'RS256', kid };
    const hs256 = { alg: 'HS256', kid };
    const signers: Record<Signature, () => Promise<string>> = {
      RS256: () => signWith(published.privateKey, rs256),
      'RS256 with another key': () => signWith(other.privateKey, rs256),
      'RS256 with an unknown kid': () => signWith(other.privateKey, { ...rs256, kid: 'unknown' }),
      'RS256 without a kid and with another key': () => signWith(other.privateKey, { alg: 'RS256' }),
      'HS256 with the public key': () => signWith(publicKeyText, hs256),
      'HS256 with the client secret': () => signWith(encoder.encode(clientSecret), hs256),
      none: async () => new UnsecuredJWT(claims).encode(),
      'edited after signing': async () => editSignature(await signWith(published.privateKey, rs256)),
    };
    return signers[signature]();
  };

  const publicKey = { ...(await exportJWK(published.publicKey)), kid, use: 'sig', alg: 'RS256' };
  return { publicKey, sign };
};
