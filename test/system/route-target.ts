import { PASSWORD } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import type { Records } from '@platform/shared/testing/records';

export const confirmation = { currentPassword: PASSWORD };

/**
 * The parts of a request to a route: the values of its path by name, its body if the example of the contract
 * is not valid, and headers in addition to the caller's.
 */
export type Target = {
  path?: Record<string, string>;
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
