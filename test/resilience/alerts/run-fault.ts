import { setTimeout as delay } from 'node:timers/promises';
import { poll, waitFor } from '@platform/shared/testing/poll';
import type { Notification } from './alertmanager.ts';
import type { Fault } from './faults.ts';
import { type MonitoredPlatform, startMonitoredPlatform } from './monitored-platform.ts';
import { startTraffic } from './traffic.ts';

/** Of an alert that fires after five minutes. */
const NOTIFY_SECONDS = 420;
/** group_wait and group_interval of Alertmanager, in which another page would follow. */
const WATCH_SECONDS = 80;
/** The longest rate window of a page. */
const END_SECONDS = 480;
const SCRAPED = 'count(count_over_time(up[5m]) > 2)';

let lastStart: Promise<unknown> = Promise.resolve();
/** One platform at a time: the start is what needs processors. */
const startInTurn = (): Promise<MonitoredPlatform> => {
  const started = lastStart.then(startMonitoredPlatform);
  lastStart = started.catch(() => undefined);
  return started;
};

/** Under normal traffic. */
export const withPlatform = async <Result>(
  work: (platform: MonitoredPlatform) => Promise<Result>,
): Promise<Result> => {
  const platform = await startInTurn();
  const traffic = await startTraffic(platform);
  try {
    // Otherwise the first sample of a counter already includes a fault, and no rule sees an increase.
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

const getNames = ({ alerts }: Notification): string =>
  [...new Set(alerts.map(({ labels }) => labels['alertname']))].join('+');

type FaultResult = {
  /** Until the page of the cause; undefined without one. */
  seconds: number | undefined;
  /** The alerts of each notification of the whole fault. */
  pages: string[];
  tickets: string[];
};

/** Injects the fault, and repairs it some seconds after the page. */
export const runFault = (fault: Fault): Promise<FaultResult> =>
  withPlatform(async (platform) => {
    const { prometheus, notifications } = platform;
    const listOf = (receiver: string) =>
      notifications.filter((each) => each.receiver === receiver && each.status === 'firing');
    const injected = performance.now();
    const secondsSince = (at: number) => Math.round((at - injected) / 1_000);
    const repair = await fault.inject(platform);
    const first = await poll(() => listOf('page').find((page) => getNames(page).includes(fault.alert)), {
      timeoutSeconds: NOTIFY_SECONDS,
    });
    await delay(Math.max(WATCH_SECONDS, (fault.seconds ?? 0) - secondsSince(performance.now())) * 1_000);
    await repair();
    if (fault.isWatchedToTheEnd)
      await poll(async () => (await prometheus.firing()).every((alert) => alert === fault.alert), {
        timeoutSeconds: END_SECONDS,
        everyMilliseconds: 5_000,
      });
    await delay(WATCH_SECONDS * 1_000);
    const [pages, tickets] = [listOf('page').map(getNames), listOf('ticket').map(getNames)];
    return { seconds: first && secondsSince(first.at), pages, tickets };
  });
