import { randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { createHttpClient } from '@platform/shared/testing/http-client';
import type { ServiceName } from '@platform/shared/testing/process';
import { startFailingInstance } from '../../failing-instance.ts';
import { type Fault, repeat, restart, signal } from '../fault.ts';

const FAKETIME = {
  LD_PRELOAD: '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  FAKETIME: '+40s',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
};
/** Prometheus scrapes each process within this time. */
const SCRAPED_MILLISECONDS = 25_000;
const STOPPED_MILLISECONDS = 300;

const removeFromDns =
  (name: ServiceName): Fault['inject'] =>
  async ({ dns }) => {
    const addresses = dns.records.get(name) ?? [];
    dns.records.delete(name);
    return async () => dns.records.set(name, addresses);
  };

/** Another process gets the address of an instance. It is ready, and its requests fail. */
const replaceOne: Fault['inject'] = async ({ find }) => {
  const [instance] = find('auth-service').slice(-1);
  if (!instance) throw new Error('There is no instance of auth-service');
  await instance.stop();
  const { url } = instance;
  const failing = await startFailingInstance({ url, failedShare: 1, targetUrl: url });
  return async () => {
    await failing.stop();
    await instance.start();
  };
};

const killRepeatedly: Fault['inject'] = async ({ find }) => {
  const [worker] = find('mailer-worker');
  for (let count = 0; count < 3; count += 1) {
    worker?.signal('SIGKILL');
    await worker?.waitForExit();
    await worker?.start();
    await delay(SCRAPED_MILLISECONDS);
  }
  return async () => undefined;
};

/** Blocks the event loop for 0.3 s twice a second, as a long computation would. */
const blockEventLoop: Fault['inject'] = async ({ find }) => {
  const pid = find('admin-service')[0]?.pid() ?? 0;
  return repeat(async () => {
    process.kill(pid, 'SIGSTOP');
    await delay(STOPPED_MILLISECONDS);
    process.kill(pid, 'SIGCONT');
  }, 500);
};

/** More lines than a process keeps in memory while its output cannot be written. */
const LINES = 6_000;
const fillLogDisk: Fault['inject'] = async ({ find }) => {
  // One of two, so that the other one serves meanwhile.
  const instances = find('auth-service').slice(-1);
  const full = openSync('/dev/full', 'a');
  for (const instance of instances) {
    await instance.stop();
    await instance.start({ settings: { LOG_LEVEL: 'info' }, stdout: full });
    // Prometheus has to know the counter before it rises.
    await delay(SCRAPED_MILLISECONDS);
    const client = createHttpClient(instance.url, { keepAlive: true });
    for (let sent = 0; sent < LINES; sent += 1) await client.send({ path: `${CUSTOMER.path}/me` });
    client.close();
  }
  return async () => {
    for (const instance of instances) {
      await instance.stop();
      await instance.start();
    }
    closeSync(full);
  };
};

const NO_INSTANCE = { alerts: ['NoReadyInstance'], minutes: 2 } as const;

export const PROCESS_FAULTS: readonly Fault[] = [
  {
    cause: 'auth-service frozen',
    ...NO_INSTANCE,
    isWatchedToTheEnd: true,
    inject: signal('auth-service', 'SIGSTOP'),
  },
  { cause: 'auth-service killed', ...NO_INSTANCE, inject: signal('auth-service', 'SIGKILL') },
  { cause: 'admin-service killed', ...NO_INSTANCE, inject: signal('admin-service', 'SIGKILL') },
  { cause: 'mailer-worker killed', ...NO_INSTANCE, inject: signal('mailer-worker', 'SIGKILL') },
  { cause: 'gateway killed', ...NO_INSTANCE, inject: signal('gateway', 'SIGKILL') },
  { cause: 'admin-service gone from DNS', ...NO_INSTANCE, inject: removeFromDns('admin-service') },
  {
    cause: 'one of two instances replaced by a process that responds 500',
    alerts: ['ProcessDown', 'InstanceEjected'],
    minutes: 8,
    sharedPlatform: 'processes',
    inject: replaceOne,
  },
  {
    cause: 'one instance with a wrong REDIS_URL',
    alerts: ['ReadinessCheckFailing'],
    minutes: 6,
    sharedPlatform: 'processes',
    inject: (platform) =>
      restart(platform, 'auth-service', {
        settings: { REDIS_URL: 'redis://127.0.0.1:1' },
        lacks: ['redis'],
        count: 1,
      }),
  },
  {
    cause: 'mailer-worker killed three times',
    alerts: ['ProcessRestarting'],
    minutes: 3,
    sharedPlatform: 'processes',
    inject: killRepeatedly,
  },
  {
    cause: 'admin-service with another JWT_ADMIN_ACCESS_SECRET_KEY',
    alerts: ['SharedSecretsDiffer', 'JourneyFailing'],
    minutes: 5,
    inject: (platform) =>
      restart(platform, 'admin-service', {
        settings: { JWT_ADMIN_ACCESS_SECRET_KEY: randomBytes(36).toString('base64url') },
      }),
  },
  {
    cause: 'auth-service with another ADMIN_PROOF_SECONDS than admin-service',
    alerts: ['SharedSettingsDiffer'],
    minutes: 17,
    sharedPlatform: 'services',
    inject: (platform) =>
      restart(platform, 'auth-service', { settings: { ADMIN_PROOF_SECONDS: '901' }, count: 1 }),
  },
  {
    cause: 'a disk that is full of log lines',
    alerts: ['LogLinesDropped'],
    minutes: 3,
    sharedPlatform: 'services',
    inject: fillLogDisk,
  },
  {
    cause: 'a clock 40 s early',
    alerts: ['ClockDiffers'],
    minutes: 3,
    sharedPlatform: 'accounts',
    inject: (platform) => restart(platform, 'mailer-worker', { settings: FAKETIME }),
  },
  {
    cause: 'admin-service computes for 0.3 s at a time',
    alerts: ['EventLoopBlocked'],
    minutes: 7,
    sharedPlatform: 'accounts',
    inject: blockEventLoop,
  },
];
