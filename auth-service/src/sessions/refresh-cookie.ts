import type { CookieChange } from '@platform/shared/http/operations';
import { KIND_CONFIGS, type Kind, type KindKeys } from '../kinds.ts';

// Browsers clear a cookie only if the attributes are those that it was set with.
const ATTRIBUTES = { httpOnly: true, secure: true, sameSite: 'none', path: '/' } as const;

export const clearRefreshCookie = (kind: Kind): CookieChange => ({
  name: KIND_CONFIGS[kind].refreshCookie,
  options: ATTRIBUTES,
});

export const createRefreshCookie =
  (keys: KindKeys) =>
  (kind: Kind, value: string): CookieChange => ({
    name: KIND_CONFIGS[kind].refreshCookie,
    value,
    options: { ...ATTRIBUTES, maxAge: keys[kind].refreshSeconds * 1_000 },
  });

export type RefreshCookie = ReturnType<typeof createRefreshCookie>;
