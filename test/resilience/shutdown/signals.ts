import { setTimeout as delay } from 'node:timers/promises';
import type { Exit } from '@platform/shared/testing/process';
import { openRawConnection } from '@platform/shared/testing/raw-http';
import type { Report } from '@platform/shared/testing/suite';
import type { Platform, RestartableService } from '../platform.ts';

type Fixture = { platform: Platform; report: Report };

/** The exit of a process takes a moment on a busy machine. */
const MAX_IMMEDIATE_SECONDS = 0.5;
const LONG_DRAIN_SECONDS = 20;
const SHORT_SHUTDOWN_SECONDS = 2;
/** Between the two signals, and tolerated after the end of SHUTDOWN_SECONDS. */
const MOMENT_SECONDS = 0.3;

const UNFINISHED_REQUEST =
  'POST /api/v1/contact/lead HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name"';

const startOneOfEach = async (
  { platform }: Fixture,
  environment: Record<string, string>,
): Promise<RestartableService[]> => {
  const auth = await platform.create('auth-service', environment);
  const admin = await platform.create('admin-service', environment);
  const gateway = await platform.createGateway([auth], [admin], environment);
  const services = [gateway, auth, admin];
  await Promise.all(services.map((service) => service.start()));
  return services;
};

const formatExit = ({ code, signal, seconds }: Exit): string =>
  `${signal ?? `exit code ${code}`} after ${seconds.toFixed(2)} s`;

/** Sends SIGTERM twice, and checks that the second signal ends the process at once. */
export const checkSecondSignal = async (report: Report, service: RestartableService): Promise<void> => {
  service.signal('SIGTERM');
  await delay(MOMENT_SECONDS * 1_000);
  service.signal('SIGTERM');
  const exit = await service.waitForExit();
  const text = `${service.name}: a second signal ends it at once (${formatExit(exit)})`;
  report.check(exit.code === 1, text);
  report.timeLimit(exit.seconds <= MAX_IMMEDIATE_SECONDS, text);
};

/** The first signal starts a long drain, the second ends it. */
export const checkSecondSignals = async (fixture: Fixture): Promise<void> => {
  const environment = { DRAIN_SECONDS: String(LONG_DRAIN_SECONDS), SHUTDOWN_SECONDS: '30' };
  for (const service of await startOneOfEach(fixture, environment))
    await checkSecondSignal(fixture.report, service);
};

/** A client that never finishes its request must not keep a process longer than SHUTDOWN_SECONDS. */
export const checkUnfinishedRequests = async (fixture: Fixture): Promise<void> => {
  const environment = { DRAIN_SECONDS: '0', SHUTDOWN_SECONDS: String(SHORT_SHUTDOWN_SECONDS) };
  for (const service of await startOneOfEach(fixture, environment)) {
    const connection = openRawConnection(service.url);
    connection.write(UNFINISHED_REQUEST);
    await delay(MOMENT_SECONDS * 1_000);
    const exit = await service.stop();
    connection.close();
    const text = `${service.name}: with an unfinished request, SHUTDOWN_SECONDS=${SHORT_SHUTDOWN_SECONDS}: ${formatExit(exit)}`;
    fixture.report.check(exit.code === 0, text);
    fixture.report.timeLimit(exit.seconds <= SHORT_SHUTDOWN_SECONDS + MOMENT_SECONDS, text);
  }
};
