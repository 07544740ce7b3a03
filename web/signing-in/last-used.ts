import type { Kind } from '@platform/client';
import { inBrowser } from '../page/stored.ts';

/** How the last sign-in of this browser was done: a word, and neither a name nor an address. */
type LastUsed = 'method' | 'factor';

const toKey = (kind: Kind, what: LastUsed): string => `platform.${kind}.last-${what}`;

/** @param value `password`, `email-code`, `passkey` or `oidc:<provider>`; the second factor by its name */
export const rememberLastUsed = (kind: Kind, what: LastUsed, value: string): void => {
  inBrowser.save(toKey(kind, what), value);
};

export const readLastUsed = (kind: Kind, what: LastUsed): string => inBrowser.read(toKey(kind, what));
