import { createHash, randomUUID } from 'node:crypto';

// The `jti` of a refresh token is a UUID of version 8 (RFC 9562, 5.8): 90 random bits name its token record, and the last 32 count
// the generations of the record. So any token tells which record it is of, and whether that has issued a newer one.

/** The length of a UUID as text without its last 32 bits. */
const NAME_LENGTH = 28;
const nameOf = (id: string): string => id.slice(0, NAME_LENGTH);

export const createRefreshJti = (): string => {
  const random = randomUUID();
  return `${random.slice(0, 14)}8${random.slice(15, NAME_LENGTH)}00000000`;
};

export const nextRefreshJti = (jti: string): string =>
  nameOf(jti) + (Number.parseInt(jti.slice(NAME_LENGTH), 16) + 1).toString(16).padStart(8, '0');

/** The `jti` of another generation, that of `storedId`. */
export const withGenerationOf = (jti: string, storedId: string): string =>
  nameOf(jti) + storedId.slice(NAME_LENGTH);

/**
 * As the token record stores it: a hash of the name, so that reading the records does not suffice to sign a token that is
 * registered, even with the signing key. It needs no key, because the name is random.
 */
export const hashRefreshJti = (jti: string): string => {
  const hex = createHash('sha256').update(nameOf(jti)).digest('hex').slice(0, 24);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') + jti.slice(NAME_LENGTH);
};

/** The smallest and the largest stored id of the record. */
export const toRecordRange = (storedId: string): [string, string] => [
  `${nameOf(storedId)}00000000`,
  `${nameOf(storedId)}ffffffff`,
];
