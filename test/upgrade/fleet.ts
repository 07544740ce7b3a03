import { setTimeout as delay } from 'node:timers/promises';
import type { Platform, RestartableService } from '../resilience/platform.ts';

/** A gateway and readers of the internal API notice a started or stopped instance within this time. */
const NOTICE_MILLISECONDS = 1_200;

/**
 * Two instances of each service behind a gateway, and a worker, which are replaced one after another. A second
 * gateway is started before the first is stopped, as behind a load balancer.
 */
export const createFleet = async (platform: Platform, firstRoot: string) => {
  const create = (name: 'auth-service' | 'admin-service') => platform.create(name);
  const [auth1, auth2] = [await create('auth-service'), await create('auth-service')];
  const [admin1, admin2] = [await create('admin-service'), await create('admin-service')];
  const worker = await platform.create('mailer-worker');
  const gateways = [
    await platform.createGateway([auth1, auth2], [admin1, admin2]),
    await platform.createGateway([auth1, auth2], [admin1, admin2]),
  ] as const;
  let [serving, spare]: readonly RestartableService[] = gateways;
  const stopping = new Set<RestartableService>();

  const start = (service: RestartableService, root: string) => service.start({ root });
  const replace = async (service: RestartableService, root: string): Promise<void> => {
    stopping.add(service);
    await service.stop();
    await start(service, root);
    stopping.delete(service);
    await delay(NOTICE_MILLISECONDS);
  };
  const replaceGateway = async (root: string): Promise<void> => {
    if (!serving || !spare) throw new Error('The gateways were not created');
    await start(spare, root);
    [serving, spare] = [spare, serving];
    await spare.stop();
  };

  await Promise.all([auth1, auth2, admin1, admin2, worker].map((service) => start(service, firstRoot)));
  if (serving) await start(serving, firstRoot);
  return {
    gatewayUrl: () => serving?.url ?? '',
    /** The instances that other services may call. */
    adminUrls: () => [admin1, admin2].filter((service) => !stopping.has(service)).map(({ url }) => url),
    /** The worker and one instance of each service run the newer release, everything else the older one. */
    upgradeHalf: async (root: string) => {
      for (const service of [worker, auth2, admin2]) await replace(service, root);
    },
    upgradeRest: async (root: string) => {
      for (const service of [auth1, admin1]) await replace(service, root);
      await replaceGateway(root);
    },
    /** The reverse order of the upgrade. */
    rollBackHalf: async (root: string) => {
      await replaceGateway(root);
      for (const service of [admin1, auth1]) await replace(service, root);
    },
    rollBackRest: async (root: string) => {
      for (const service of [admin2, auth2, worker]) await replace(service, root);
    },
  };
};

export type Fleet = Awaited<ReturnType<typeof createFleet>>;
