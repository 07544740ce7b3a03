import { setTimeout as delay } from 'node:timers/promises';
import { createHttpClient } from '@platform/shared/testing/http-client';
import type { Exit } from '@platform/shared/testing/process';
import type { Report } from '@platform/shared/testing/suite';
import type { AdminFixture } from '../load/admin-actions.ts';
import { createMixedLoad, type LoadedService } from '../load/mixed-load.ts';
import {
  checkTimeouts,
  countResults,
  filterFailed,
  isInterrupted,
  isTimedOut,
  isUnexpected,
  type RequestEntry,
} from '../load/request-log.ts';
import { type Platform, type RestartableService, SHUTDOWN_SECONDS } from '../platform.ts';

type Fixture = { platform: Platform; adminFixture: AdminFixture; report: Report };

/** `exits` of all stops of the scenario. */
export type ShutdownResult = { scenario: string; exits: Exit[]; requests: RequestEntry[] };

const WARM_UP_SECONDS = 6;
/** The load is twice the mixed load: 192 requests a second. */
const LOAD_FACTOR = 2;
const ROUNDS_WITH_TWO = 2;
const ROUNDS_WITH_ONE = 4;
/** The gateway notices the stop, and later the restart, within this time. */
const STOPPED_MILLISECONDS = 1_200;
const RESTARTED_MILLISECONDS = 1_200;

/** Sends the load to an address while `restart` runs; returns the requests since the warm-up. */
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

export const checkExits = (report: Report, scenario: string, exits: readonly Exit[]): void => {
  const unclean = exits.filter(({ code }) => code !== 0);
  const slowest = Math.max(...exits.map(({ seconds }) => seconds));
  const details = unclean.map(({ code, signal, seconds }) => `; ${signal ?? code} after ${seconds} s`);
  report.check(
    unclean.length === 0,
    `${scenario}: ${exits.length} stops end with exit code 0${details.join('')}`,
  );
  report.timeLimit(
    slowest <= SHUTDOWN_SECONDS,
    `${scenario}: the slowest stop takes ${slowest.toFixed(1)} s of ${SHUTDOWN_SECONDS} s`,
  );
};

/** With two instances of each service, no request through the gateway fails. */
export const restartOneOfTwo = async ({
  platform,
  adminFixture,
  report,
}: Fixture): Promise<ShutdownResult> => {
  const scenario = 'two instances of each service behind the gateway';
  const auth = [await platform.create('auth-service'), await platform.create('auth-service')];
  const admin = [await platform.create('admin-service'), await platform.create('admin-service')];
  const gateway = await platform.createGateway(auth, admin);
  const services = [...auth, ...admin];
  await Promise.all([...services, gateway].map((service) => service.start()));
  const exits: Exit[] = [];
  const requests = await sendLoad(gateway.url, ['auth', 'admin'], adminFixture, async () => {
    exits.push(...(await restartInTurn(services, ROUNDS_WITH_TWO)));
  });
  checkTimeouts(report, scenario, requests);
  const failed = filterFailed(requests).filter((entry) => !isTimedOut(entry));
  report.check(failed.length === 0, `${scenario}: ${failed.length} of ${requests.length} requests failed`);
  report.log(`    ${countResults(failed)}`);
  checkExits(report, scenario, exits);
  await Promise.all([...services, gateway].map((service) => service.stop()));
  return { scenario, exits, requests };
};

type SingleInstance = {
  scenario: string;
  url: string;
  services: readonly LoadedService[];
  restarted: readonly RestartableService[];
};

/** While the only instance is stopped, connections are refused or the gateway responds, but none is reset. */
const restartOnlyInstance = async (
  { adminFixture, report }: Fixture,
  { scenario, url, services, restarted }: SingleInstance,
): Promise<ShutdownResult> => {
  const exits: Exit[] = [];
  const requests = await sendLoad(url, services, adminFixture, async () => {
    exits.push(...(await restartInTurn(restarted, ROUNDS_WITH_ONE)));
  });
  checkTimeouts(report, scenario, requests);
  const interrupted = requests.filter(isInterrupted);
  const unexpected = requests.filter(isUnexpected);
  report.check(
    interrupted.length === 0,
    `${scenario}: of ${requests.length} requests ${interrupted.length} were reset or truncated (${countResults(interrupted)})`,
  );
  report.check(
    unexpected.length === 0,
    `${scenario}: ${unexpected.length} unexpected responses (${countResults(unexpected)})`,
  );
  checkExits(report, scenario, exits);
  return { scenario, exits, requests };
};

export const restartOnlyInstances = async (fixture: Fixture): Promise<ShutdownResult[]> => {
  const { platform } = fixture;
  const auth = await platform.create('auth-service');
  const admin = await platform.create('admin-service');
  const gateway = await platform.createGateway([auth], [admin]);
  await Promise.all([auth, admin, gateway].map((service) => service.start()));
  const both = ['auth', 'admin'] as const;
  const scenarios: SingleInstance[] = [
    { scenario: 'auth-service, called directly', url: auth.url, services: ['auth'], restarted: [auth] },
    { scenario: 'admin-service, called directly', url: admin.url, services: ['admin'], restarted: [admin] },
    { scenario: 'the gateway', url: gateway.url, services: both, restarted: [gateway] },
    {
      scenario: 'either service, called through the gateway',
      url: gateway.url,
      services: both,
      restarted: [auth, admin],
    },
  ];
  const results: ShutdownResult[] = [];
  for (const scenario of scenarios) results.push(await restartOnlyInstance(fixture, scenario));
  await Promise.all([auth, admin, gateway].map((service) => service.stop()));
  return results;
};
