import { waitFor } from './poll.ts';
import { HOST, type RedisOptions, type RunningRedis, startServer } from './redis-server.ts';

type SentinelOptions = RedisOptions & { downAfterMilliseconds?: number; replicas?: number };

/**
 * Starts three Sentinels that watch `primary` as "mymaster". Resolves once they know each other and its
 * replicas.
 */
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
    /** The URL has the form redis+sentinel://…/mymaster. */
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
