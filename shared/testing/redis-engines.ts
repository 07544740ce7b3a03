import { waitFor } from './poll.ts';
import { findFreePort, HOST, type RedisOptions, type RunningRedis, startServer } from './redis-server.ts';

type SentinelOptions = RedisOptions & { downAfterMilliseconds?: number; replicas?: number };

/** Three Sentinels that watch `primary` as "mymaster", once they know each other and its replicas. */
export const startSentinels = async (
  primary: Pick<RunningRedis, 'port'>,
  { downAfterMilliseconds = 1_000, replicas = 1, ...options }: SentinelOptions = {},
) => {
  const createSettings = () => [
    `sentinel monitor mymaster ${HOST} ${primary.port} 2`,
    `sentinel down-after-milliseconds mymaster ${downAfterMilliseconds}`,
    'sentinel failover-timeout mymaster 5000',
    ...(options.settings ?? []),
  ];
  const servers = await Promise.all([1, 2, 3].map(() => startServer(createSettings, options, '--sentinel')));
  const readMaster = async (server: RunningRedis): Promise<Record<string, string>> => {
    const reply = await server.command('SENTINEL', 'MASTER', 'mymaster');
    return reply as Record<string, string>;
  };
  for (const server of servers)
    await waitFor(
      'the Sentinels know each other',
      async () => {
        const { 'num-other-sentinels': others, 'num-slaves': known } = await readMaster(server);
        return Number(others) === 2 && Number(known) >= replicas;
      },
      30,
    );
  const hosts = servers.map(({ port }) => `${HOST}:${port}`).join(',');
  const scheme = options.tls ? 'rediss+sentinel' : 'redis+sentinel';
  return {
    /** redis+sentinel://…/mymaster */
    url: `${scheme}://${options.account ? `${options.account}@` : ''}${hosts}/mymaster`,
    servers,
    /** The port of the current primary, as the first running Sentinel reports it. */
    findPrimaryPort: async () => {
      for (const server of servers) {
        const master = await readMaster(server).catch(() => undefined);
        if (master) return Number(master['port']);
      }
      throw new Error('No Sentinel responds');
    },
    stop: async () => {
      await Promise.all(servers.map(({ stop }) => stop()));
    },
  };
};

const SLOTS = 16_384;

const startNode = async (options: RedisOptions): Promise<RunningRedis> => {
  const busPort = await findFreePort();
  return await startServer(
    () => [
      'appendonly yes',
      'cluster-enabled yes',
      `cluster-port ${busPort}`,
      'cluster-node-timeout 1000',
      ...(options.settings ?? []),
    ],
    options,
  );
};

const waitForState = (node: RunningRedis, state: string): Promise<unknown> =>
  waitFor(
    `the cluster has ${state}`,
    async () => {
      const info = await Promise.all([node.command('CLUSTER', 'INFO'), node.command('INFO', 'replication')]);
      return info.join('').includes(state);
    },
    30,
  );

const joinNodes = async (primaries: RunningRedis[], replicas: RunningRedis[]): Promise<void> => {
  const nodes = [...primaries, ...replicas];
  const size = Math.ceil(SLOTS / primaries.length);
  for (const [index, primary] of primaries.entries()) {
    const last = Math.min((index + 1) * size, SLOTS) - 1;
    await primary.command('CLUSTER', 'ADDSLOTSRANGE', String(index * size), String(last));
    // Without it, two of them may hold the same configuration epoch, and neither failover would win.
    await primary.command('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
  }
  for (const { port, command } of nodes) {
    const settings = (await command('CONFIG', 'GET', 'cluster-port')) as Record<string, string>;
    await nodes[0]?.command('CLUSTER', 'MEET', HOST, String(port), String(settings['cluster-port']));
  }
  for (const node of nodes) await waitForState(node, `cluster_known_nodes:${nodes.length}`);
  for (const [index, replica] of replicas.entries()) {
    const id = await primaries[index]?.command('CLUSTER', 'MYID');
    await waitFor('the replica knows its primary', () =>
      replica.command('CLUSTER', 'REPLICATE', String(id)).then(
        () => true,
        () => false,
      ),
    );
    await waitForState(replica, 'master_link_status:up');
  }
  for (const node of nodes) await waitForState(node, 'cluster_state:ok');
};

/** A cluster of three primaries, each with a replica on request, once it accepts commands. */
export const startRedisCluster = async ({
  hasReplicas = false,
  ...options
}: RedisOptions & { hasReplicas?: boolean } = {}) => {
  const start = () => Promise.all([1, 2, 3].map(() => startNode(options)));
  const primaries = await start();
  const replicas = hasReplicas ? await start() : [];
  await joinNodes(primaries, replicas);
  const hosts = primaries.map(({ port }) => `${HOST}:${port}`).join(',');
  const scheme = options.tls ? 'rediss+cluster' : 'redis+cluster';
  return {
    /** redis+cluster://… with the addresses of the primaries */
    url: `${scheme}://${options.account ? `${options.account}@` : ''}${hosts}`,
    primaries,
    replicas,
    stop: async () => {
      await Promise.all([...primaries, ...replicas].map(({ stop }) => stop()));
    },
  };
};
