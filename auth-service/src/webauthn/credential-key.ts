import { createPublicKey, type KeyObject, type webcrypto } from 'node:crypto';

/** A COSE_Key (RFC 9052, 7): labels and their values. */
type CoseKey = ReadonlyMap<number, unknown>;

/** Labels and values of RFC 9053, 7, and RFC 8230, 4. -1 is the curve, or the modulus of RSA. */
const KTY = 1;
const ALG = 3;
const OKP = 1;
const EC2 = 2;
const RSA = 3;
const P256 = 1;
const ED25519 = 6;
const COORDINATE_BYTES = 32;

/** COSE algorithms: Ed25519, ES256 and RS256. Every authenticator supports one of them. */
export const ALGORITHMS = [-8, -7, -257];

const MIN_MODULUS_BITS = 2_048;
const MAX_MODULUS_BITS = 4_096;

const getBytes = (key: CoseKey, label: number, length?: number): string | undefined => {
  const bytes = key.get(label);
  const isWanted = bytes instanceof Uint8Array && (length === undefined || bytes.length === length);
  return isWanted ? Buffer.from(bytes).toString('base64url') : undefined;
};

/** Undefined if OpenSSL rejects the key, for instance a point that is not on its curve. */
const importKey = (key: webcrypto.JsonWebKey): KeyObject | undefined => {
  try {
    return createPublicKey({ format: 'jwk', key });
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
};

const isEs256Key = (key: CoseKey): boolean => {
  const [x, y] = [getBytes(key, -2, COORDINATE_BYTES), getBytes(key, -3, COORDINATE_BYTES)];
  if (key.get(KTY) !== EC2 || key.get(-1) !== P256 || !x || !y) return false;
  return importKey({ kty: 'EC', crv: 'P-256', x, y }) !== undefined;
};

const isRs256Key = (key: CoseKey): boolean => {
  const [n, e] = [getBytes(key, -1), getBytes(key, -2)];
  const details = key.get(KTY) === RSA && n && e && importKey({ kty: 'RSA', n, e })?.asymmetricKeyDetails;
  if (!details) return false;
  const { modulusLength = 0, publicExponent = 0n } = details;
  const hasLength = modulusLength >= MIN_MODULUS_BITS && modulusLength <= MAX_MODULUS_BITS;
  return hasLength && publicExponent >= 3n && publicExponent % 2n === 1n;
};

const PRIME = 2n ** 255n - 19n;
const mod = (value: bigint): bigint => ((value % PRIME) + PRIME) % PRIME;
const power = (base: bigint, exponent: bigint): bigint => {
  let [result, square, rest] = [1n, mod(base), exponent];
  for (; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = mod(result * square);
    square = mod(square * square);
  }
  return result;
};
/** The constant of edwards25519 (RFC 8032, 5.1). */
const D = mod(-121_665n * power(121_666n, PRIME - 2n));

/** Whether the point can be decoded (RFC 8032, 5.1.3), which OpenSSL does not check before a signature. */
const isOnEdwards25519 = (encoded: string): boolean => {
  const hex = Buffer.from(encoded, 'base64url').reverse().toString('hex');
  const value = BigInt(`0x${hex}`);
  const y = value & (2n ** 255n - 1n);
  if (y >= PRIME) return false;
  // x² is u / v, which is a square if u · v is one.
  const u = mod(y * y - 1n);
  if (u === 0n) return value >> 255n === 0n;
  return power(u * mod(D * y * y + 1n), (PRIME - 1n) / 2n) === 1n;
};

const isEd25519Key = (key: CoseKey): boolean => {
  const x = getBytes(key, -2, COORDINATE_BYTES);
  return key.get(KTY) === OKP && key.get(-1) === ED25519 && x !== undefined && isOnEdwards25519(x);
};

const CHECKS: Readonly<Record<number, (key: CoseKey) => boolean>> = {
  [-7]: isEs256Key,
  [-8]: isEd25519Key,
  [-257]: isRs256Key,
};

/** Whether the argument, which may be anything, is a valid key of one of the ALGORITHMS. */
export const isCredentialKey = (key: unknown): boolean =>
  key instanceof Map && typeof key.get(ALG) === 'number' && CHECKS[key.get(ALG)]?.(key) === true;
