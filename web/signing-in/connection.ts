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
let password: string | undefined;

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
  password = undefined;
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was stored either.
  }
  return typeof place === 'string' && place.startsWith('/') ? place : '/';
};

/** Called with the password of a sign-in, which the connection needs once more. */
export const keepPassword = (kind: Kind, typed: string): void => {
  if (readConnection(kind)) password = typed;
};

/** The password, once: after an error, the person types it. */
export const takePassword = (): string | undefined => {
  const typed = password;
  password = undefined;
  return typed;
};

export const hasPassword = (): boolean => password !== undefined;
