import type { IncomingHttpHeaders } from 'node:http';

/** RFC 9110, 7.6.1: of use to the next hop only, which is this gateway. */
const HOP_BY_HOP = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
]);

/** These say where a message ends and whom it is for: no client may have them removed. */
const FRAMING = new Set(['content-length', 'transfer-encoding', 'host']);

const NONE: ReadonlySet<string> = new Set();
const ORDINARY = /^(?:keep-alive|close)$/i;

export const isHopByHop = (name: string): boolean => HOP_BY_HOP.has(name);

/** The further headers that `Connection` declares to be hop-by-hop, in lower case. */
export const namedInConnection = ({ connection }: IncomingHttpHeaders): ReadonlySet<string> => {
  if (connection === undefined || ORDINARY.test(connection)) return NONE;
  const names = connection.split(',').map((name) => name.trim().toLowerCase());
  return new Set(names.filter((name) => !FRAMING.has(name)));
};
