import type { Kind } from '@platform/client';

/** How the last sign-in of this browser was done: a word, and neither a name nor an address. */
type LastUsed = 'method' | 'factor';

const toKey = (kind: Kind, what: LastUsed): string => `platform.${kind}.last-${what}`;

/** @param value `password`, `email-code`, `passkey` or `oidc:<provider>`; the second factor by its name */
export const rememberLastUsed = (kind: Kind, what: LastUsed, value: string): void => {
  try {
    localStorage.setItem(toKey(kind, what), value);
  } catch {
    // Nothing is marked at the next sign-in.
  }
};

export const readLastUsed = (kind: Kind, what: LastUsed): string | undefined => {
  try {
    return localStorage.getItem(toKey(kind, what)) ?? undefined;
  } catch {
    return undefined;
  }
};
