import type { Kind } from '@platform/client';

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

/** The password that has just signed in, so that it is not asked for twice. In this page's memory only. */
let kept: { email: string; password: string } | undefined;

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
  kept = undefined;
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was stored either.
  }
  return typeof place === 'string' && place.startsWith('/') ? place : '/';
};

/** Called with the password of a sign-in, which the connection needs once more. */
export const keepPassword = (kind: Kind, email: string, password: string): void => {
  if (readConnection(kind)) kept = { email, password };
};

/** Whether the password of this account is kept: the person may have signed in to another one meanwhile. */
export const hasPassword = (email: string): boolean => kept?.email.toLowerCase() === email.toLowerCase();

/** The password, once: after an error, the person types it. */
export const takePassword = (email: string): string | undefined => {
  const password = hasPassword(email) ? kept?.password : undefined;
  kept = undefined;
  return password;
};
