import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Report } from '@platform/shared/testing/suite';
import type { Platform } from './platform.ts';
import type { Ending, ServiceProcess } from './service-process.ts';

type Scene = { platform: Platform; report: Report };

/** A process takes a moment to go, on a machine that is busy. */
const AT_ONCE_SECONDS = 0.5;
const LONG_DRAIN_SECONDS = 20;
const DEADLINE_SECONDS = 2;
/** The moment between the two signals, and between the deadline and the end. */
const MOMENT_SECONDS = 0.3;

const makeOneOfEach = async ({ platform }: Scene, own: Record<string, string>): Promise<ServiceProcess[]> => {
  const auth = await platform.make('auth-service', own);
  const admin = await platform.make('admin-service', own);
  const gateway = await platform.makeGateway([auth], [admin], own);
  const services = [gateway, auth, admin];
  await Promise.all(services.map((service) => service.start()));
  return services;
};

const describe = ({ code, signal, seconds }: Ending): string =>
  `${signal ?? `exit code ${code}`} after ${seconds.toFixed(2)} s`;

/** Two SIGTERM, a moment apart; how it ended, counted from the second. */
export const signalTwice = async (service: ServiceProcess): Promise<Ending> => {
  service.signal('SIGTERM');
  await delay(MOMENT_SECONDS * 1_000);
  service.signal('SIGTERM');
  return await service.awaitEnd();
};

export const judgeAtOnce = (report: Report, { name }: ServiceProcess, ending: Ending): void => {
  const isAtOnce = ending.code === 1 && ending.seconds <= AT_ONCE_SECONDS;
  report.check(isAtOnce, `${name}: a second signal ends it at once (${describe(ending)})`);
};

/** The first signal asks to drain for long; the second says that there is no time for that. */
export const endBySecondSignal = async (scene: Scene): Promise<void> => {
  const own = { DRAIN_SECONDS: String(LONG_DRAIN_SECONDS), SHUTDOWN_SECONDS: '30' };
  for (const service of await makeOneOfEach(scene, own))
    judgeAtOnce(scene.report, service, await signalTwice(service));
};

/** A client that begins a request and leaves it unfinished for as long as it may. */
const leaveHanging = (url: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        'POST /api/v1/contact/lead HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name"',
        () => resolve(socket),
      );
    });
    socket.once('error', reject);
    socket.on('error', () => undefined); // it is cut off in the end
  });

/** A client that never finishes its request must not keep a process longer than SHUTDOWN_SECONDS. */
export const endDespiteHangingClient = async (scene: Scene): Promise<void> => {
  const own = { DRAIN_SECONDS: '0', SHUTDOWN_SECONDS: String(DEADLINE_SECONDS) };
  for (const service of await makeOneOfEach(scene, own)) {
    const socket = await leaveHanging(service.url);
    await delay(MOMENT_SECONDS * 1_000);
    const ending = await service.stop();
    socket.destroy();
    const isInTime = ending.code === 0 && ending.seconds <= DEADLINE_SECONDS + MOMENT_SECONDS;
    scene.report.check(
      isInTime,
      `${service.name}: with a request left unfinished, SHUTDOWN_SECONDS=${DEADLINE_SECONDS}: ${describe(ending)}`,
    );
  }
};
