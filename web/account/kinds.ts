import type { Kind } from '@platform/client';
import { createPageClient, type Platform } from '../session/platform.ts';

export const ACCOUNT_KINDS = ['customer', 'employee'] as const;
export type AccountKind = (typeof ACCOUNT_KINDS)[number];

export const toCallbackPath = (kind: AccountKind): string => `/account/${kind}/callback`;

const platforms = new Map<AccountKind, Platform>();

/** One client for each kind, created when a page needs it, because each listens to the other tabs. */
export const getPlatform = (kind: AccountKind): Platform => {
  const platform = platforms.get(kind) ?? {
    kind,
    client: createPageClient<Kind>(kind, { endWithBrowser: true }),
    callbackPath: toCallbackPath(kind),
  };
  platforms.set(kind, platform);
  return platform;
};
