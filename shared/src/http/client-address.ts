import type { Request } from 'express';

declare module 'node:http' {
  interface IncomingMessage {
    /** Once it has been asked for; clientAddressOf() finds it. */
    clientAddress?: string;
  }
}

/**
 * The client's address as the trusted proxies report it. Found once for each request: log, limits, sessions and headers all
 * ask, and each `req.ip` reads every address of the way anew.
 */
export const clientAddressOf = (req: Request): string => {
  // An IPv4 caller on a dual-stack socket shows as ::ffff:192.0.2.1.
  req.clientAddress ??= (req.ip ?? '').replace(/^::ffff:/, '');
  return req.clientAddress;
};
