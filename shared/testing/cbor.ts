/**
 * The part of CBOR (RFC 8949) that a WebAuthn authenticator writes: integers below 65,536, bytes, text and
 * maps.
 */

const MAJOR = { unsigned: 0, negative: 1, bytes: 2, text: 3, map: 5 };

const head = (major: number, value: number): Buffer => {
  if (value < 24) return Buffer.of((major << 5) | value);
  if (value < 0x100) return Buffer.of((major << 5) | 24, value);
  return Buffer.of((major << 5) | 25, value >> 8, value & 0xff);
};

const encodeInteger = (value: number): Buffer =>
  value < 0 ? head(MAJOR.negative, -1 - value) : head(MAJOR.unsigned, value);

const encode = (item: number | Buffer): Buffer => (typeof item === 'number' ? encodeInteger(item) : item);

export const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([head(MAJOR.bytes, bytes.length), bytes]);

export const cborText = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  return Buffer.concat([head(MAJOR.text, bytes.length), bytes]);
};

/** Keys and values are integers or encoded items, in the given order. */
export const cborMap = (entries: readonly [number | Buffer, number | Buffer][]): Buffer =>
  Buffer.concat([head(MAJOR.map, entries.length), ...entries.flat().map(encode)]);
