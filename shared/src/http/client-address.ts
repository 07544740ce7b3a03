import { isIPv6 } from 'node:net';
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
export const getClientAddress = (req: Request): string => {
  // An IPv4 caller on a dual-stack socket shows as ::ffff:192.0.2.1.
  req.clientAddress ??= (req.ip ?? '').replace(/^::ffff:/, '');
  return req.clientAddress;
};

const GROUPS = 8;
const NETWORK_GROUPS = 4;

const groupsOf = (part: string | undefined): string[] => (part ? part.split(':') : []);

/**
 * The client network that limits count by: an IPv4 address, or the /64 prefix of an IPv6 address. A subscriber gets a whole
 * /64, so a limit per IPv6 address could be evaded by a new address for each request.
 */
export const toClientSubnet = (address: string): string => {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  const [head, tail] = plain.split('::');
  const left = groupsOf(head);
  const right = groupsOf(tail);
  const zeros = Array.from({ length: GROUPS - left.length - right.length }, () => '0');
  const network = [...left, ...zeros, ...right].slice(0, NETWORK_GROUPS);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
};
