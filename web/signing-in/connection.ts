import type { Kind } from '@platform/client';
import { forgetTypedPassword } from './typed-password.ts';

/** A provider that the person wants to connect to the account into which they must sign in first. */
type Connection = {
  kind: Kind;
  provider: string;
  /** Where to go on afterwards. */
  place?: string;
  expiresAt: number;
};

const KEY = 'platform.connection';
const LIFETIME_MILLISECONDS = 600_000;

const save = (connection: Connection): void => {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(connection));
  } catch {
    // The person connects the provider in the own account.
  }
};

/** Remembers a connection in this tab, also for a reload. */
export const rememberConnection = (kind: Kind, provider: string): void =>
  save({ kind, provider, expiresAt: Date.now() + LIFETIME_MILLISECONDS });

/** Any script of the page's origin can change the stored text, so an invalid one is ignored. */
export const readConnection = (kind: Kind): Connection | undefined => {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Connection | null;
    return stored?.kind === kind && stored.expiresAt > Date.now() && typeof stored.provider === 'string'
      ? stored
      : undefined;
  } catch {
    return undefined;
  }
};

/** Keeps where to go on after the connection. */
export const rememberPlaceAfter = (connection: Connection, place: string): void =>
  save({ ...connection, place });

/** Where to go on; the connection has been made or declined. */
export const endConnection = (kind: Kind): string => {
  const place = readConnection(kind)?.place;
  forgetTypedPassword();
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was stored either.
  }
  return typeof place === 'string' && place.startsWith('/') ? place : '/';
};
