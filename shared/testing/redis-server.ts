import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'redis';
import { waitFor } from './poll.ts';

export const HOST = '127.0.0.1';

let isInstalled: boolean | undefined;
/** Whether the machine has redis-server. Suites that need it are skipped otherwise. */
export const hasRedisServer = (): boolean => {
  isInstalled ??= spawnSync('redis-server', ['--version']).status === 0;
  return isInstalled;
};

/** The names of the files. With them, a server accepts only connections with TLS. */
export type TlsFiles = { ca: string; certificate: string; key: string };

export type RedisOptions = {
  /** Lines of redis.conf. */
  settings?: readonly string[];
  /** `user:password` for the URL. `settings` must create the user. */
  account?: string;
  tls?: TlsFiles;
};

export type RunningRedis = {
  url: string;
  port: number;
  /** The pid changes at a restart. */
  readonly pid: number;
  /** Ends the server with `kill -9`. Resolves when it has exited. */
  kill: () => Promise<void>;
  /** Stops the server. Its connections stay open without responses until the thaw. */
  freeze: () => void;
  thaw: () => void;
  /** Starts the killed server again, with the same port and data. */
  restart: () => Promise<void>;
  /** Runs one command, for example `command('REPLICAOF', 'NO', 'ONE')`. */
  command: (...args: string[]) => Promise<unknown>;
  stop: () => Promise<void>;
};

// These ports are below the ephemeral ones, which outgoing connections could occupy while a server restarts.
// Ports are taken in order, so that servers that start at the same time get different ports.
const FIRST_PORT = 20_000;
const PORT_COUNT = 12_000;
let nextPort = Math.floor(Math.random() * PORT_COUNT);

const findFreePort = async (): Promise<number> => {
  for (;;) {
    const port = FIRST_PORT + (nextPort++ % PORT_COUNT);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, HOST, () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
};

/** Runs one command on a new connection. */
export const runRedisCommand = async (url: string, ...args: string[]): Promise<unknown> => {
  // The certificates of the tests are signed by a CA that this process does not know.
  const tls = url.startsWith('rediss:') && { tls: true as const, rejectUnauthorized: false };
  const client = createClient({ url, socket: { ...tls, reconnectStrategy: false } });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await client.sendCommand(args);
  } finally {
    client.destroy();
  }
};

const toTlsSettings = (port: number, { ca, certificate, key }: TlsFiles): string[] => [
  'port 0',
  `tls-port ${port}`,
  `tls-ca-cert-file ${ca}`,
  `tls-cert-file ${certificate}`,
  `tls-key-file ${key}`,
  'tls-auth-clients no',
  'tls-replication yes',
];

// Otherwise an interrupted test run would leave the servers running.
const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

const launch = async (directory: string, mode: '--sentinel' | undefined): Promise<ChildProcess> => {
  const args = [join(directory, 'redis.conf'), ...(mode ? [mode] : [])];
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  child.once('exit', () => children.delete(child));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  await waitFor('redis-server accepts connections', () => {
    if (child.exitCode !== null) throw new Error(`redis-server did not start:\n${output}`);
    return /Ready to accept connections|Sentinel ID is/.test(output);
  });
  return child;
};

/** @param mode `--sentinel` starts a Sentinel */
export const startServer = async (
  createSettings: (port: number) => string[],
  { account, tls }: RedisOptions,
  mode?: '--sentinel',
): Promise<RunningRedis> => {
  const directory = await mkdtemp(join(tmpdir(), 'platform-redis-'));
  const port = await findFreePort();
  const settings = [
    `bind ${HOST}`,
    `dir ${directory}`,
    'save ""',
    'repl-diskless-sync-delay 0',
    ...(tls ? toTlsSettings(port, tls) : [`port ${port}`]),
    ...createSettings(port),
  ];
  await writeFile(join(directory, 'redis.conf'), `${settings.join('\n')}\n`);
  let child = await launch(directory, mode);
  const url = `${tls ? 'rediss' : 'redis'}://${account ? `${account}@` : ''}${HOST}:${port}`;
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return {
    url,
    port,
    get pid() {
      return child.pid ?? 0;
    },
    kill,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    restart: async () => {
      await kill();
      child = await launch(directory, mode);
    },
    command: (...args) => runRedisCommand(url, ...args),
    stop: async () => {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

/** Starts a single server with an append-only file. */
export const startRedis = (options: RedisOptions = {}): Promise<RunningRedis> =>
  startServer(() => ['appendonly yes', ...(options.settings ?? [])], options);

/** Starts a read-only replica. Resolves once it has the data of the primary. */
export const startReplica = async (
  primary: Pick<RunningRedis, 'port'>,
  options: RedisOptions = {},
): Promise<RunningRedis> => {
  const replica = await startRedis({
    ...options,
    settings: [
      `replicaof ${HOST} ${primary.port}`,
      'repl-diskless-sync-delay 0',
      ...(options.settings ?? []),
    ],
  });
  await waitFor('the replica is in sync', async () =>
    String(await replica.command('INFO', 'replication')).includes('master_link_status:up'),
  );
  return replica;
};
