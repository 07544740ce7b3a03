import { createHmac, hkdfSync } from 'node:crypto';
import type { Secret } from '@platform/shared/config/secrets';
import type { CodeHasher } from './email-code.ts';

/** Keyed hashes: six digits would be found in a moment from a plain one, and an e-mail need not stand in a key. */
const createCodeHasher = (secret: string): CodeHasher => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'code hash', 32));
  const hash = (parts: string[]) => createHmac('sha256', key).update(parts.join('\0')).digest('base64url');
  return {
    hashEmail: (email) => hash(['e-mail', email]),
    hashCode: ({ kind, purpose, subject }, code) => hash(['code', kind, purpose, subject, code]),
  };
};

/** Of the secret that hashes new codes, then of those that it replaced. */
export const createCodeHashers = ({ current, previous }: Secret): [CodeHasher, ...CodeHasher[]] => [
  createCodeHasher(current),
  ...previous.map(createCodeHasher),
];
