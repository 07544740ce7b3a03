import type { CookieChange } from '@platform/shared/http/operations';
import { KINDS, type Kind, type KindKeys } from './kinds.ts';

// Browsers clear a cookie only when told with the attributes that it was set with, so both come from here.
const ATTRIBUTES = { httpOnly: true, secure: true, sameSite: 'none', path: '/' } as const;

export const clearRefreshCookie = (kind: Kind): CookieChange => ({
  name: KINDS[kind].refreshCookie,
  options: ATTRIBUTES,
});

export const createRefreshCookie =
  (keys: KindKeys) =>
  (kind: Kind, value: string): CookieChange => ({
    name: KINDS[kind].refreshCookie,
    value,
    options: { ...ATTRIBUTES, maxAge: keys[kind].refreshSeconds * 1_000 },
  });

export type RefreshCookie = ReturnType<typeof createRefreshCookie>;
