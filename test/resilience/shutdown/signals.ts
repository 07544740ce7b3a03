import { setTimeout as delay } from 'node:timers/promises';
import { openRawConnection } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import type { Platform, RestartableService } from '../platform.ts';

const LONG_DRAIN_SECONDS = 20;
const SHORT_SHUTDOWN_SECONDS = 2;
/** The time between the two signals. */
const MOMENT_SECONDS = 0.3;

const UNFINISHED_REQUEST =
  'POST /api/v1/contact/lead HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name"';

const startOneOfEach = async (
  platform: Platform,
  environment: Record<string, string>,
): Promise<RestartableService[]> => {
  const auth = await platform.create('auth-service', environment);
  const admin = await platform.create('admin-service', environment);
  const gateway = await platform.createGateway([auth], [admin], environment);
  const services = [gateway, auth, admin];
  await Promise.all(services.map((service) => service.start()));
  return services;
};

/**
 * Sends SIGTERM twice. The second signal ends the process with exit code 1, before the drain would end it
 * with 0.
 */
export const expectSecondSignalToEnd = async (service: RestartableService): Promise<void> => {
  service.signal('SIGTERM');
  await delay(MOMENT_SECONDS * 1_000);
  service.signal('SIGTERM');
  expect((await service.waitForExit()).code, service.name).to.equal(1);
};

/** The first signal starts a long drain, the second ends it. */
export const checkSecondSignals = async (platform: Platform): Promise<void> => {
  const environment = { DRAIN_SECONDS: String(LONG_DRAIN_SECONDS), SHUTDOWN_SECONDS: '30' };
  for (const service of await startOneOfEach(platform, environment)) await expectSecondSignalToEnd(service);
};

/** A client that never finishes its request must not keep a process running longer than SHUTDOWN_SECONDS. */
export const checkUnfinishedRequests = async (platform: Platform): Promise<void> => {
  const environment = { DRAIN_SECONDS: '0', SHUTDOWN_SECONDS: String(SHORT_SHUTDOWN_SECONDS) };
  for (const service of await startOneOfEach(platform, environment)) {
    const connection = openRawConnection(service.url);
    connection.write(UNFINISHED_REQUEST);
    await delay(MOMENT_SECONDS * 1_000);
    // `stop` throws if the process does not exit.
    const { code } = await service.stop();
    connection.close();
    expect(code, service.name).to.equal(0);
  }
};
