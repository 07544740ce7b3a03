import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_MILLISECONDS = 30_000;

const decodeBase32 = (text: string): Buffer => {
  const bits = [...text]
    .map((character) => ALPHABET.indexOf(character).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

/**
 * Returns the code that an authenticator app shows for a base32 secret (RFC 6238: SHA-1, six digits, 30 s).
 * It does not use the library of the service. Each code is accepted once, so later proofs in a test need a
 * later time step.
 */
export const totpCode = (secret: string, offsetSteps = 0): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MILLISECONDS) + offsetSteps));
  const digest = createHmac('sha1', decodeBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
};
