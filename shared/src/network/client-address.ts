import { isIP, isIPv4, isIPv6, SocketAddress } from 'node:net';
import type { Request } from 'express';

/**
 * Matches `[2001:db8::1]:443`, `[2001:db8::1]` and `192.0.2.1:40001`. An IPv6 address without brackets cannot
 * have a port.
 */
const BRACKETS_OR_PORT = /^(?:\[(.+)\]|([\d.]+))(?::\d+)?$/;

/**
 * Returns the canonical text of an address without port, brackets and zone. An IPv4 address in IPv6 becomes
 * IPv4. Text that is not an address is returned unchanged. `SocketAddress` parses every IPv6 address, whereas
 * ipaddr.js 1.9 rejects some, such as `64:ff9b::192.0.2.1`.
 */
export const normaliseAddress = (text: string): string => {
  if (isIPv4(text)) return text;
  const [, bracketed, dotted] = BRACKETS_OR_PORT.exec(text) ?? [];
  const plain = (bracketed ?? dotted ?? text).replace(/%.*$/, '');
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return text;
  return new SocketAddress({ address: plain, family: 'ipv6' }).address.replace(/^::ffff:(?=\d+\.)/, '');
};

/**
 * Returns the normalised address of the client as the trusted proxies report it, or the address of the
 * connection if theirs is invalid. The result is cached because several steps of a request need it, and each
 * `req.ip` parses X-Forwarded-For again.
 */
export const getClientAddress = (req: Request): string => {
  const { state } = req;
  if (state.clientAddress === undefined) {
    const reported = normaliseAddress(req.ip ?? '');
    state.clientAddress = isIP(reported) === 0 ? normaliseAddress(req.socket.remoteAddress ?? '') : reported;
  }
  return state.clientAddress;
};

/** The limit for the wider network of an IPv6 client is this many times the limit for its network. */
export const WIDER_NETWORK_FACTOR = 8;

export type ClientNetworks = [network: string] | [network: string, wider: string];

const TOTAL_GROUPS = 8;

const splitGroups = (part: string | undefined): string[] => (part ? part.split(':') : []);

/**
 * The keys of limits per client network: an IPv4 address, or the /64 of an IPv6 address and the /48 around
 * it. A subscriber gets a whole /64, and often a /56 or /48. Limits for addresses or a /64 alone could be
 * evaded with a new one for each request.
 */
export const toClientNetworks = (address: string): ClientNetworks => {
  const plain = normaliseAddress(address);
  if (!isIPv6(plain)) return [plain];
  const [head, tail] = plain.split('::');
  const left = splitGroups(head);
  const right = splitGroups(tail);
  const zeros = Array.from({ length: TOTAL_GROUPS - left.length - right.length }, () => '0');
  const groups = [...left, ...zeros, ...right];
  return [`${groups.slice(0, 4).join(':')}::/64`, `${groups.slice(0, 3).join(':')}::/48`];
};

/** The networks of the client, cached because each SocketAddress of an IPv6 client takes 3 µs. */
export const getClientNetworks = (req: Request): ClientNetworks => {
  const { state } = req;
  state.clientNetworks ??= toClientNetworks(getClientAddress(req));
  return state.clientNetworks;
};

/** The IPv4 address, or the /64 of an IPv6 address, in the format of the table session_networks. */
export const toClientSubnet = (address: string): string => toClientNetworks(address)[0];
