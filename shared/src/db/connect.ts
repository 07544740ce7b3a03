import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { withTimeout } from '../async/tasks.ts';
import { parseDatabaseUrl, type TargetSession } from '../network/database-url.ts';

/**
 * A connection and its socket. Destroying the socket closes the connection even if the server does not
 * respond.
 */
export type OpenedConnection = { client: pg.Client; socket: Socket; serverUrl: string };

type Settings = Omit<pg.ClientConfig, 'connectionString' | 'stream'>;

const FIND_SESSION = `
  select pg_is_in_recovery() as is_standby, current_setting('transaction_read_only')::boolean as is_read_only`;

const SESSION_TIMEOUT_MILLISECONDS = 2_000;

type Session = { is_standby: boolean; is_read_only: boolean };

const IS_TARGET: Record<Exclude<TargetSession, 'any' | 'prefer-standby'>, (session: Session) => boolean> = {
  'read-write': (session) => !session.is_read_only,
  'read-only': (session) => session.is_read_only,
  primary: (session) => !session.is_standby,
  standby: (session) => session.is_standby,
};

const requireTarget = async (client: pg.Client, target: keyof typeof IS_TARGET): Promise<void> => {
  const { rows } = await client.query<Session>(FIND_SESSION);
  if (!rows.every(IS_TARGET[target])) throw new Error(`The server is not ${target}`);
};

const connectTo = async (
  serverUrl: string,
  target: Exclude<TargetSession, 'prefer-standby'>,
  settings: Settings,
): Promise<OpenedConnection> => {
  const socket = new Socket();
  const client = new pg.Client({ ...settings, connectionString: serverUrl, stream: () => socket });
  // An 'error' event without a listener would end the process. The promises below reject anyway.
  client.on('error', () => undefined);
  try {
    await client.connect();
    // The connection timeout ends when the connection is established, so this query needs its own for a
    // frozen server.
    if (target !== 'any')
      await withTimeout(requireTarget(client, target), SESSION_TIMEOUT_MILLISECONDS, 'Query read timeout');
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return { client, socket, serverUrl };
};

/** A server that takes longer is tried in parallel with the next one (RFC 8305: Connection Attempt Delay). */
const ATTEMPT_DELAY_MILLISECONDS = 300;

/** The SQLSTATE "unable to establish a connection". */
const UNABLE_TO_CONNECT = '08001';

type Attempt = (url: string) => Promise<OpenedConnection>;

/** Returns the first suitable connection and closes connections that are established later. */
const connectToFirst = async (urls: readonly string[], attempt: Attempt): Promise<OpenedConnection> => {
  const connected = new AbortController();
  const attempts = urls.map(async (url, index) => {
    if (index > 0) await delay(index * ATTEMPT_DELAY_MILLISECONDS, undefined, { signal: connected.signal });
    const connection = await attempt(url);
    if (connected.signal.aborted) connection.socket.destroy();
    connected.abort();
    return connection;
  });
  try {
    return await Promise.any(attempts);
  } catch (error) {
    const { errors } = error as AggregateError;
    if (errors.length === 1) throw errors[0];
    const message = `No suitable database server: ${errors.map(String).join('; ')}`;
    throw Object.assign(new Error(message, { cause: error }), { code: UNABLE_TO_CONNECT });
  }
};

/**
 * Connects to the servers of the URL (see `parseDatabaseUrl`). Each attempt is limited by
 * `connectionTimeoutMillis`.
 * @throws TypeError if the URL is invalid
 */
export const createConnector = (databaseUrl: string, settings: Settings) => {
  const { urls, target } = parseDatabaseUrl(databaseUrl);
  let preferred = urls[0];

  const connectWith = async (wanted: Exclude<TargetSession, 'prefer-standby'>): Promise<OpenedConnection> => {
    const ordered = [preferred, ...urls.filter((url) => url !== preferred)];
    const connection = await connectToFirst(ordered, (url) => connectTo(url, wanted, settings));
    preferred = connection.serverUrl;
    return connection;
  };

  return {
    /** Connects to a suitable server and prefers the server of the last connection. */
    connect: (): Promise<OpenedConnection> =>
      target === 'prefer-standby'
        ? connectWith('standby').catch(() => connectWith('any'))
        : connectWith(target),
    /** Whether there are several servers, only one of which is suitable at a time. */
    followsPrimary: urls.length > 1 && (target === 'read-write' || target === 'primary'),
  };
};

export type Connector = ReturnType<typeof createConnector>;

/** Opens a connection outside of any pool, for commands. The caller must end it. */
export const connectClient = async (databaseUrl: string, settings: Settings = {}): Promise<pg.Client> => {
  const connector = createConnector(databaseUrl, { connectionTimeoutMillis: 10_000, ...settings });
  const { client } = await connector.connect();
  return client;
};
