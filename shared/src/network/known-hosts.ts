import { isIP } from 'node:net';

export type HostCheck = (host: string) => boolean;

/**
 * Whether a host, with or without a port, is a loopback name, an address, or the host of one of these URLs. Any
 * web page could call a server on this machine by another name that resolves to 127.0.0.1 (DNS rebinding).
 */
export const createHostCheck = (urls: readonly (string | undefined)[] = []): HostCheck => {
  const toHostname = (url = ''): string => URL.parse(url)?.hostname ?? '';
  const known = new Set(['localhost', ...urls.map(toHostname)]);
  known.delete('');
  return (host) => {
    const hostname = toHostname(`http://${host}`);
    return (
      known.has(hostname) || hostname.endsWith('.localhost') || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
    );
  };
};

/** Whether a listening address is reached only from this machine. */
export const isLoopback = (listenHost: string): boolean => /^(?:127\.|::1$|localhost$)/.test(listenHost);
