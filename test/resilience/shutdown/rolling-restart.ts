import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { createHttpClient } from '@platform/shared/testing/http-client';
import type { Exit } from '@platform/shared/testing/process';
import { expect } from 'chai';
import type { AdminFixture } from '../load/admin-actions.ts';
import { createMixedLoad, type LoadedService, MIXED_REQUESTS_PER_SECOND } from '../load/mixed-load.ts';
import {
  expectNone,
  filterRefused,
  isInterrupted,
  isUnexpected,
  type RequestEntry,
} from '../load/request-log.ts';
import type { Platform, RestartableService } from '../platform.ts';

type ShutdownFixture = { platform: Platform; adminFixture: AdminFixture };

/** `exits` contains the exits of all stops. */
export type ShutdownResult = { exits: Exit[]; requests: RequestEntry[] };

const WARM_UP_SECONDS = 6;
/**
 * The share of the mixed load. A starting process fills one of two cores, so under full load sign-ins would
 * wait too long for a hash, with or without a restart.
 */
const LOAD_FACTOR = Math.min(2, availableParallelism() / 2);
export const REQUESTS_PER_SECOND = MIXED_REQUESTS_PER_SECOND * LOAD_FACTOR;
const ROUNDS_WITH_TWO = 2;
const ROUNDS_WITH_ONE = 4;
/** The gateway detects the stop, and later the restart, within this time. */
const STOPPED_MILLISECONDS = 1_200;
const RESTARTED_MILLISECONDS = 1_200;

/** Sends the load to an address while `restart` runs. Returns the requests since the warm-up. */
const sendLoad = async (
  url: string,
  services: readonly LoadedService[],
  adminFixture: AdminFixture,
  restart: () => Promise<void>,
): Promise<RequestEntry[]> => {
  const client = createHttpClient(url, { keepAlive: true, timeoutSeconds: 10 });
  const { requestLog, start } = createMixedLoad(client, adminFixture);
  const load = start(services, LOAD_FACTOR);
  try {
    await delay(WARM_UP_SECONDS * 1_000);
    const first = requestLog.entries.length;
    await restart();
    await load.stop();
    return requestLog.entries.slice(first);
  } finally {
    await load.stop();
    client.close();
  }
};

const restartInTurn = async (services: readonly RestartableService[], rounds: number): Promise<Exit[]> => {
  const exits: Exit[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const service of services) {
      exits.push(await service.stop());
      await delay(STOPPED_MILLISECONDS);
      await service.start();
      await delay(RESTARTED_MILLISECONDS);
    }
  return exits;
};

/** A process that does not stop within SHUTDOWN_SECONDS exits with another code. */
export const expectCleanExits = (exits: readonly Exit[]): void => {
  expect(exits.filter(({ code }) => code !== 0)).to.deep.equal([]);
};

/** Restarts one of two instances of each service. No request through the gateway may fail. */
export const restartOneOfTwo = async ({
  platform,
  adminFixture,
}: ShutdownFixture): Promise<ShutdownResult> => {
  const auth = [await platform.create('auth-service'), await platform.create('auth-service')];
  const admin = [await platform.create('admin-service'), await platform.create('admin-service')];
  const gateway = await platform.createGateway(auth, admin);
  const services = [...auth, ...admin];
  await Promise.all([...services, gateway].map((service) => service.start()));
  const exits: Exit[] = [];
  const requests = await sendLoad(gateway.url, ['auth', 'admin'], adminFixture, async () => {
    exits.push(...(await restartInTurn(services, ROUNDS_WITH_TWO)));
  });
  expectNone(filterRefused(requests), 'failed requests');
  expectCleanExits(exits);
  await Promise.all([...services, gateway].map((service) => service.stop()));
  return { exits, requests };
};

type Restart = {
  url: string;
  services: readonly LoadedService[];
  restarted: readonly RestartableService[];
};
type Instances = Record<'auth' | 'admin' | 'gateway', RestartableService>;

const BOTH = ['auth', 'admin'] as const;
const RESTARTS: Record<string, (instances: Instances) => Restart> = {
  'auth-service, called directly': ({ auth }) => ({ url: auth.url, services: ['auth'], restarted: [auth] }),
  'admin-service, called directly': ({ admin }) => ({
    url: admin.url,
    services: ['admin'],
    restarted: [admin],
  }),
  'the gateway': ({ gateway }) => ({ url: gateway.url, services: BOTH, restarted: [gateway] }),
  'either service, called through the gateway': ({ gateway, auth, admin }) => ({
    url: gateway.url,
    services: BOTH,
    restarted: [auth, admin],
  }),
};
export const RESTART_NAMES = Object.keys(RESTARTS);

/**
 * Restarts the only instance. Meanwhile connections may be refused, but none is reset.
 */
export const restartOnlyInstance = async (
  { platform, adminFixture }: ShutdownFixture,
  name: string,
): Promise<ShutdownResult> => {
  const auth = await platform.create('auth-service');
  const admin = await platform.create('admin-service');
  const gateway = await platform.createGateway([auth], [admin]);
  await Promise.all([auth, admin, gateway].map((service) => service.start()));
  const restart = RESTARTS[name]?.({ auth, admin, gateway });
  if (!restart) throw new Error(`There is no restart of ${name}`);
  const exits: Exit[] = [];
  const requests = await sendLoad(restart.url, restart.services, adminFixture, async () => {
    exits.push(...(await restartInTurn(restart.restarted, ROUNDS_WITH_ONE)));
  });
  expectNone(requests.filter(isInterrupted), 'requests were reset or truncated');
  expectNone(requests.filter(isUnexpected), 'unexpected responses');
  expectCleanExits(exits);
  await Promise.all([auth, admin, gateway].map((service) => service.stop()));
  return { exits, requests };
};
