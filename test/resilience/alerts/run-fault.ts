import { setTimeout as delay } from 'node:timers/promises';
import { poll, waitFor } from '@platform/shared/testing/poll';
import type { Notification } from './alertmanager.ts';
import type { Fault, Repair } from './fault.ts';
import { type MonitoredPlatform, startMonitoredPlatform } from './monitored-platform.ts';
import { startTraffic } from './traffic.ts';

/** How much later than expected an alert may fire. */
const LATE_SECONDS = 180;
/** group_wait and group_interval of Alertmanager, after which another page would follow. */
const WATCH_SECONDS = 80;
/** The longest rate window of a page. */
const END_SECONDS = 480;
const SCRAPED = 'count(count_over_time(up[5m]) > 2)';

let lastStart: Promise<unknown> = Promise.resolve();
/** Starts one platform at a time, because the start needs processors. */
const startInTurn = (options?: { hasSmallDisk?: boolean }): Promise<MonitoredPlatform> => {
  const started = lastStart.then(() => startMonitoredPlatform(options));
  lastStart = started.catch(() => undefined);
  return started;
};

/** Runs the work on a platform with normal traffic. */
export const withPlatform = async <Result>(
  work: (platform: MonitoredPlatform) => Promise<Result>,
  options?: { hasSmallDisk?: boolean },
): Promise<Result> => {
  const platform = await startInTurn(options);
  const traffic = await startTraffic(platform);
  try {
    // Otherwise the first sample of a counter would already include the fault, and no rule would see an
    // increase.
    await waitFor(
      'Prometheus has scraped every process three times',
      async () => Number((await platform.prometheus.query(SCRAPED))[0]?.value[1]) === platform.targets,
      120,
    );
    return await work(platform);
  } finally {
    await traffic.stop();
    await platform.stop();
  }
};

const getNames = ({ alerts }: Notification): string[] => [
  ...new Set(alerts.map(({ labels }) => labels['alertname'] ?? '')),
];

export type FaultResult = {
  /** The time until the notification by alert; undefined if there was none. */
  seconds: Record<string, number | undefined>;
  /** The alerts of each page during the whole fault. */
  pages: string[];
  tickets: string[];
};

type Injected = { fault: Fault; at: number; repair: Repair };

/** Waits for the alerts of the fault, and repairs it some seconds after the last one. */
const watchFault = async (
  { fault, at: injected, repair }: Injected,
  { prometheus, notifications }: MonitoredPlatform,
): Promise<FaultResult> => {
  const firing = () => notifications().filter(({ status }) => status === 'firing');
  const find = (alert: string) => firing().find((notification) => getNames(notification).includes(alert));
  const secondsSince = (at: number) => Math.round((at - injected) / 1_000);
  await poll(() => fault.alerts.every(find), { timeoutSeconds: fault.minutes * 60 + LATE_SECONDS });
  await delay(Math.max(WATCH_SECONDS, (fault.seconds ?? 0) - secondsSince(performance.now())) * 1_000);
  await repair();
  if (fault.isWatchedToTheEnd)
    await poll(
      async () =>
        (await prometheus.firing()).every((alert) => alert === 'Watchdog' || fault.alerts.includes(alert)),
      {
        timeoutSeconds: END_SECONDS,
        everyMilliseconds: 5_000,
      },
    );
  await delay(WATCH_SECONDS * 1_000);
  const seconds = fault.alerts.map((alert) => [alert, find(alert)] as const);
  const list = (receiver: string) =>
    firing()
      .filter((notification) => notification.receiver === receiver)
      .map((notification) => getNames(notification).join('+'));
  return {
    seconds: Object.fromEntries(seconds.map(([alert, found]) => [alert, found && secondsSince(found.at)])),
    pages: list('page'),
    tickets: list('ticket'),
  };
};

/** Runs the faults on one platform. */
export const runFaults = (faults: readonly Fault[]): Promise<FaultResult[]> =>
  withPlatform(async (platform) => {
    const injected: Injected[] = [];
    for (const fault of faults)
      injected.push({ fault, at: performance.now(), repair: await fault.inject(platform) });
    return await Promise.all(injected.map((each) => watchFault(each, platform)));
  }, faults[0]);
