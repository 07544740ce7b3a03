import type { Kind } from '@platform/client';
import { createTabState } from './tab-state.ts';
import { forgetTypedPassword } from './typed-password.ts';

/** A provider that the person wants to connect to the account into which they must sign in first. */
type Connection = {
  kind: Kind;
  provider: string;
  /** The page to open afterwards. */
  place?: string;
  expiresAt: number;
};

const LIFETIME_MILLISECONDS = 600_000;

const kept = createTabState<Connection>(
  'platform.connection',
  ({ provider }) => typeof provider === 'string',
);

export const rememberConnection = (kind: Kind, provider: string): void =>
  kept.save({ kind, provider, expiresAt: Date.now() + LIFETIME_MILLISECONDS });

export const readConnection = kept.read;

/** Keeps the page to open after the connection. */
export const rememberPlaceAfter = (connection: Connection, place: string): void =>
  kept.save({ ...connection, place });

/** Returns the page to open, after the connection has been made or declined. */
export const endConnection = (kind: Kind): string => {
  const place = readConnection(kind)?.place;
  forgetTypedPassword();
  kept.forget();
  return typeof place === 'string' && place.startsWith('/') ? place : '/';
};
