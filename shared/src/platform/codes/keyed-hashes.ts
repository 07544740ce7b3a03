import { createHmac, hkdfSync } from 'node:crypto';
import type { Secret } from '../../config/secrets.ts';

/** Hashes the parts in this order. */
export type KeyedHash = (...parts: string[]) => string;

/** The subject under which failures at an address are counted. */
export const hashAddress = (hash: KeyedHash, email: string): string => hash('e-mail', email);

/**
 * Keyed hashes of values that must not be stored: e-mails, and codes, whose plain hash could be reversed
 * immediately. The first uses the current secret, the others the previous secrets.
 */
export const createKeyedHashes = ({ current, previous }: Secret): [KeyedHash, ...KeyedHash[]] => {
  const create = (secret: string): KeyedHash => {
    const key = Buffer.from(hkdfSync('sha256', secret, '', 'code hash', 32));
    return (...parts) => createHmac('sha256', key).update(parts.join('\0')).digest('base64url');
  };
  return [create(current), ...previous.map(create)];
};
