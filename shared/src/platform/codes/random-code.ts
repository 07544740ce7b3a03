import { randomBytes } from 'node:crypto';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Each character has five random bits. Groups of four are easier to type. */
export const generateRandomCode = (length: number): string => {
  const characters = [...randomBytes(length)].map((byte) => BASE32[byte % BASE32.length]);
  return (characters.join('').match(/.{4}/g) ?? []).join('-');
};

/** Users type codes in capitals, without the dashes or with spaces. */
export const normaliseRandomCode = (code: string): string => code.toLowerCase().replace(/[\s-]/g, '');
