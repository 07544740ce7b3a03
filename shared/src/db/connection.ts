import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import pg from 'pg';
import { runPeriodically, withTimeout } from '../async/tasks.ts';
import type { Connector, OpenedConnection } from './connect.ts';
import { isPlanOutdated } from './database-errors.ts';

/**
 * Longer than Postgres's statement timeout: no response within this time means that the connection is lost.
 */
const RESPONSE_TIMEOUT_MILLISECONDS = 6_000;

type Query = {
  name?: string;
  text: string;
  values: unknown[];
  timeoutMilliseconds?: number;
  awaitsStandby?: boolean;
};

type Callback = (error: Error | null, result: pg.QueryResult) => void;
type RejectQuery = (error: Error) => void;
type RunQuery = (query: Query, callback: Callback) => void;

/**
 * read_only_sql_transaction: the server is a standby or a demoted primary, and this connection stays
 * read-only.
 */
const READ_ONLY = '25006';

/** After any other error, the state of the connection is unknown. */
const isStillUsable = (error: Error): boolean =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR' && error.code !== READ_ONLY;

const CANCEL_REQUEST_CODE = 80_877_102;
const CANCEL_TIMEOUT_MILLISECONDS = 2_000;

/**
 * Sends a CancelRequest (PostgreSQL, 54.2.9). Closing the socket does not end a backend that waits for a
 * synchronous standby. Without the request, such backends and their locks would accumulate until the standby
 * returns.
 */
const cancelQuery = (client: pg.Client): void => {
  const { processID, secretKey } = client as unknown as { processID: number; secretKey: number };
  if (client.host.startsWith('/')) return;
  const request = Buffer.alloc(16);
  for (const [index, value] of [request.length, CANCEL_REQUEST_CODE, processID, secretKey].entries())
    request.writeInt32BE(value, index * 4);
  const socket = new Socket();
  socket.on('error', () => undefined);
  socket.setTimeout(CANCEL_TIMEOUT_MILLISECONDS, () => socket.destroy());
  socket.connect(client.port, client.host, () => socket.end(request));
};

/** pg replaces the socket by a TLS socket, and does not declare it. */
const findCertificateExpiry = (client: pg.Client): Date | undefined => {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  return stream instanceof TLSSocket ? new Date(stream.getPeerCertificate().valid_to) : undefined;
};

/** Knex ends a transaction with this statement. */
const COMMIT = 'COMMIT;';

const CLOSE_TIMEOUT_MILLISECONDS = 1_000;

/** After this time without a response, another server may have become the primary. */
const SUSPECT_MILLISECONDS = 1_000;

type Options = { connector: Connector; onError: (error: Error) => void };

/** `waitingSince` is the time of the first query that awaits a response. */
type State = Omit<OpenedConnection, 'client'> & {
  queries: number;
  waitingSince: number;
  /** Whether the last statement must reach a synchronous standby. */
  awaitsStandby: boolean;
  /** Whether its prepared statements fail from now on. */
  isOutdated: boolean;
};

/**
 * The connections of a pool. A connection that does not respond, or whose state is unknown, is closed
 * immediately.
 */
export const createConnections = ({ connector, onError }: Options) => {
  const states = new Map<pg.Client, State>();
  let certificateExpiresAt: Date | undefined;

  const discard = (client: pg.Client): void => {
    const socket = states.get(client)?.socket;
    states.delete(client);
    socket?.destroy();
  };

  const discardIdle = (): void => {
    for (const [client, { queries }] of states) if (queries === 0) discard(client);
  };

  /** The pool closes them before their next use, so that no request meets the next outdated plan. */
  const markOutdated = (): void => {
    for (const state of states.values()) state.isOutdated = true;
  };

  /**
   * Closes the connections to a server that is no longer the primary. Otherwise their queries would wait for
   * the timeout.
   */
  const followPrimary = async (): Promise<void> => {
    const primary = await connector.connect();
    primary.socket.destroy();
    for (const [client, { serverUrl }] of states) if (serverUrl !== primary.serverUrl) discard(client);
  };

  const followPrimaryIfSuspect = async (): Promise<void> => {
    const latest = performance.now() - SUSPECT_MILLISECONDS;
    if ([...states.values()].some(({ queries, waitingSince }) => queries > 0 && waitingSince < latest))
      // If there is no primary, the queries end with their timeout, and the next check follows in a second.
      await followPrimary().catch(() => undefined);
  };

  const watch = connector.followsPrimary
    ? runPeriodically(followPrimaryIfSuspect, {
        intervalMilliseconds: SUSPECT_MILLISECONDS,
        onError: () => undefined,
      })
    : undefined;

  const rejectTimedOut = (client: pg.Client, query: Query, callback: RejectQuery): void => {
    if (!(query.text === COMMIT && states.get(client)?.awaitsStandby)) cancelQuery(client);
    discard(client);
    // Otherwise each idle connection to the same server would cost a request another timeout. The timeout of
    // a ping is too short to conclude this.
    if (query.timeoutMilliseconds === undefined) discardIdle();
    callback(new Error('Query read timeout'));
  };

  /**
   * pg's own timeout (`query_timeout`) assigns a closure to `query.callback`. V8 allocates such a closure in
   * old space, and whatever it captures survives until a major GC (measured: 13 KB per request, and a third
   * of the CPU time in the garbage collector).
   */
  const withResponseTimeout =
    (client: pg.Client, send: RunQuery): RunQuery =>
    (query, callback) => {
      const state = states.get(client);
      if (state) {
        if (state.queries === 0) state.waitingSince = performance.now();
        state.queries += 1;
        if (query.text !== COMMIT) state.awaitsStandby = query.awaitsStandby === true;
      }
      const timer = setTimeout(
        () => rejectTimedOut(client, query, callback as RejectQuery),
        query.timeoutMilliseconds ?? RESPONSE_TIMEOUT_MILLISECONDS,
      );
      send(query, (error, result) => {
        clearTimeout(timer);
        if (state) state.queries -= 1;
        if (isPlanOutdated(error)) markOutdated();
        if (error && !isStillUsable(error)) discard(client);
        callback(error, result);
      });
    };

  return {
    open: async (): Promise<pg.Client> => {
      const { client, ...connection } = await connector.connect();
      states.set(client, {
        ...{ ...connection, queries: 0, waitingSince: 0, awaitsStandby: false, isOutdated: false },
      });
      certificateExpiresAt = findCertificateExpiry(client);
      client.query = withResponseTimeout(
        client,
        client.query.bind(client) as RunQuery,
      ) as typeof client.query;
      client.on('error', (error) => {
        if (states.get(client)?.queries === 0) onError(error);
        discard(client);
      });
      client.on('end', () => discard(client));
      return client;
    },

    isUsable: (client: pg.Client): boolean => states.get(client)?.isOutdated === false,

    close: async (client: pg.Client): Promise<void> => {
      const socket = states.get(client)?.socket;
      states.delete(client);
      if (!socket) return;
      await withTimeout(client.end(), CLOSE_TIMEOUT_MILLISECONDS, 'Postgres did not close').catch(() =>
        socket.destroy(),
      );
    },

    count: (): number => states.size,

    certificateExpiresAt: (): Date | undefined => certificateExpiresAt,

    stop: async (): Promise<void> => watch?.stop(),
  };
};
