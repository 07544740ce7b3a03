import type { ServerResponse } from 'node:http';
import { createShares } from '@platform/shared/http/shares';
import type { ClientNetworks } from '@platform/shared/network/client-address';
import type { LimitMetrics } from './limit-metrics.ts';
import type { NetworkLimits } from './network-limits.ts';

/**
 * A client that reads nothing of a response for this long, and at most twice as long, is gone or stalls on
 * purpose.
 */
const UNREAD_MILLISECONDS = 10_000;

type UnreadResponse = { networks: ClientNetworks; bytes: number; onRead: () => void };

/** Limits the bytes of responses that wait in the gateway because their client does not read them. */
export const createUnreadShares = (limits: NetworkLimits, metrics: LimitMetrics) => {
  const memory = createShares(limits.unreadBytes);
  /** Ordered by waiting time, longest first. */
  const unread = new Map<ServerResponse, UnreadResponse>();

  const release = (res: ServerResponse): void => {
    const entry = unread.get(res);
    if (!entry) return;
    unread.delete(res);
    memory.add(entry.networks, -entry.bytes);
    res.off('drain', entry.onRead).off('close', entry.onRead);
    const { socket } = res.req;
    // Node may have set the timeout of an idle connection.
    if (socket.timeout === UNREAD_MILLISECONDS) socket.setTimeout(0);
    socket.resume();
  };

  const hold = (res: ServerResponse, networks: ClientNetworks): UnreadResponse => {
    const entry = { networks, bytes: 0, onRead: () => release(res) };
    unread.set(res, entry);
    res.on('drain', entry.onRead).on('close', entry.onRead);
    // Node refreshes this timeout while the client reads, and closes the connection when it expires.
    // Receiving data would refresh it, too, so the socket is paused.
    res.req.socket.pause().setTimeout(UNREAD_MILLISECONDS);
    return entry;
  };

  const endLongestWaiting = (isCandidate: (entry: UnreadResponse) => boolean): void => {
    const [longest] = [...unread].find(([, entry]) => isCandidate(entry)) ?? [];
    if (!longest) return;
    metrics.countRateLimited({ limit: 'responses' });
    release(longest);
    longest.req.socket.destroy();
  };

  /**
   * Called after a write that the client did not accept immediately. Drops the longest-stalled responses, of
   * the network or of all networks, while they exceed their share.
   */
  return (res: ServerResponse, networks: ClientNetworks): void => {
    // The service may send more after the connection has ended, and nothing would release it.
    if (res.req.socket.destroyed) return;
    const entry = unread.get(res) ?? hold(res, networks);
    memory.add(networks, res.writableLength - entry.bytes);
    entry.bytes = res.writableLength;
    const [network] = networks;
    while (memory.isShareFull([network], 0)) endLongestWaiting((other) => other.networks[0] === network);
    while (memory.isFull(0)) endLongestWaiting(() => true);
  };
};
