import { isIPv6 } from 'node:net';
import type { Request } from 'express';

declare module 'node:http' {
  interface IncomingMessage {
    /** Cached by getClientAddress(). */
    clientAddress?: string;
  }
}

/**
 * The client's address as reported by the trusted proxies. Cached because several steps of a request need it, and each
 * `req.ip` parses X-Forwarded-For again.
 */
export const getClientAddress = (req: Request): string => {
  // An IPv4 caller on a dual-stack socket shows as ::ffff:192.0.2.1.
  req.clientAddress ??= (req.ip ?? '').replace(/^::ffff:/, '');
  return req.clientAddress;
};

const TOTAL_GROUPS = 8;
const NETWORK_GROUPS = 4;

const splitGroups = (part: string | undefined): string[] => (part ? part.split(':') : []);

/**
 * The key of limits per client network: an IPv4 address, or the /64 prefix of an IPv6 address. A subscriber gets a whole
 * /64, so a limit per IPv6 address could be evaded with a new address for each request.
 */
export const toClientSubnet = (address: string): string => {
  if (!address.includes(':')) return address;
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  const [head, tail] = plain.split('::');
  const left = splitGroups(head);
  const right = splitGroups(tail);
  const zeros = Array.from({ length: TOTAL_GROUPS - left.length - right.length }, () => '0');
  const network = [...left, ...zeros, ...right].slice(0, NETWORK_GROUPS);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
};

export const WIDER_NETWORK_FACTOR = 8;
export const toClientNetworks = (address: string): [network: string] | [network: string, wider: string] => {
  const network = toClientSubnet(address);
  if (!network.endsWith('/64')) return [network];
  return [network, `${network.split(':').slice(0, 3).join(':')}::/48`];
};
