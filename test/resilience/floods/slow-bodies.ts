import { setTimeout as delay } from 'node:timers/promises';
import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { openRawConnection, parseStatus } from '@platform/shared/testing/raw-http';
import { countStatuses, type Flood, range } from './fixture.ts';

const NETWORKS = 20;
/** A client network may have this many bodies at once. */
const BODIES_PER_NETWORK = 50;
const DECLARED_BYTES = 102_400;
/**
 * The sizes of the first bodies of each network. They also fill the rest of the memory, which is too small
 * for a body of 102,400 bytes and would otherwise be left to other clients.
 */
const SMALLER_BYTES = [10_000, 1_000, 100, 20];
/**
 * One in five bodies sends a single byte, so that a declared length costs nothing. The others have 72 MiB in
 * total.
 */
const SINGLE_BYTE_EVERY = 5;
const MISSING_BYTES = 10;
const BYTE_EVERY_MILLISECONDS = 4_000;
const PAUSE_MILLISECONDS = 1_000;

/** Sends to a route that has only the global rate limit. */
const startBody = (gatewayUrl: string, network: number, body: number) => {
  const declared = SMALLER_BYTES[body] ?? DECLARED_BYTES;
  const sent = body % SINGLE_BYTE_EVERY === 0 ? 1 : declared - MISSING_BYTES;
  const connection = openRawConnection(gatewayUrl);
  connection.write(
    `POST ${CUSTOMER.path}/me HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 203.0.113.${network}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${declared}\r\n\r\n${'{'.padEnd(sent)}`,
  );
  const timer = setInterval(() => connection.write(' '), BYTE_EVERY_MILLISECONDS);
  void connection.closed.then(() => clearInterval(timer));
  return connection;
};

/**
 * Sends bodies that never end, most of which declare the maximum length. When the gateway ends one, another
 * follows.
 */
export const slowBodies: Flood = {
  name: `slow bodies from ${NETWORKS} networks`,
  start: async ({ gatewayUrl }) => {
    const open = new Set<ReturnType<typeof openRawConnection>>();
    const statuses: (number | string)[] = [];
    let isRunning = true;
    const keepBody = async (network: number, body: number): Promise<void> => {
      while (isRunning) {
        const connection = startBody(gatewayUrl, network, body);
        open.add(connection);
        const status = parseStatus(await connection.closed);
        open.delete(connection);
        if (isRunning) statuses.push(Number.isNaN(status) ? 'reset' : status);
        await delay(PAUSE_MILLISECONDS);
      }
    };
    const attack = range(NETWORKS).flatMap((network) =>
      range(BODIES_PER_NETWORK).map((body) => keepBody(network, body)),
    );
    return {
      stop: async () => {
        isRunning = false;
        const incomplete = open.size;
        for (const { close } of open) close();
        await Promise.all(attack);
        return `${countStatuses(statuses)}; ${incomplete} bodies incomplete at the end`;
      },
    };
  },
};
