import { PASSWORD } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import type { Records } from '@platform/shared/testing/records';

export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
export const confirmation = { currentPassword: PASSWORD };

/**
 * The parts of a request to a route: the id in its path, its query, its body, and headers in addition to the
 * caller's.
 */
export type Target = {
  id?: string;
  query?: string;
  body?: object | string;
  headers?: Record<string, string>;
};
export type Context = {
  records: Records;
  gatewayUrl: string;
  /** The issuer of the provider `company`. */
  issuer: string;
  /** The caller's device, only if the route allows the caller. */
  device: Device | undefined;
  /** The fingerprint that the request sends. */
  fingerprint: string;
};
export type CreateTarget = (context: Context) => Promise<Target> | Target;
