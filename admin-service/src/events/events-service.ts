import { setTimeout as delay } from 'node:timers/promises';
import type { Metrics } from '@platform/shared/metrics/metrics';
import type { ServiceCaller } from '@platform/shared/platform/services/service-shares';
import { type EventPage, eventsExpired } from './event.ts';
import type { EventStore } from './events-store.ts';
import { createTurns } from './turns.ts';

/**
 * How late a waiting reader gets an event. A short query for each of the few readers costs less than a
 * connection that listens.
 */
const POLL_MILLISECONDS = 500;

type Dependencies = {
  events: EventStore;
  numberEvents: () => Promise<number>;
  metrics: Pick<Metrics, 'labeledGauge'>;
  /** Aborted when the process stops. */
  stopping: AbortSignal;
};

type Reading = {
  caller: ServiceCaller;
  after: string | undefined;
  limit: number;
  waitSeconds: number;
  /** Aborted when the reader disconnects. */
  signal: AbortSignal;
};

export const createEventService = ({ events, numberEvents, metrics, stopping }: Dependencies) => {
  /** Unix times in seconds. A reader that has read everything has read up to now. */
  const readUntil: Record<string, number> = {};
  metrics.labeledGauge(
    'events_read_until_timestamp_seconds',
    'The time up to which a service has read the events',
    'reader',
    () => readUntil,
  );

  const findPage = async (after: string | undefined, limit: number) => {
    const page = await events.findPage(after, limit);
    if (!page) throw eventsExpired();
    return page;
  };

  /** Numbers committed events when all numbered events have been read. */
  const findNumberedPage = async (after: string | undefined, limit: number): Promise<EventPage> => {
    const page = await findPage(after, limit);
    if (page.events.length === limit || !page.hasUnnumbered) return page;
    await numberEvents();
    return await findPage(after, limit);
  };

  /** A page takes the most time of all responses, so a service gets one after another. */
  const inTurn = createTurns();

  return {
    /**
     * Does not hold a connection to Postgres while it waits.
     * @throws AppError 410 EVENTS_EXPIRED, 429 if the service has too many waiting readers
     */
    read: async ({ caller, after, limit, waitSeconds, signal }: Reading): Promise<EventPage> => {
      const deadline = performance.now() + waitSeconds * 1_000;
      const ended = AbortSignal.any([signal, stopping]);
      const readPage = async (): Promise<EventPage> => {
        const page = await inTurn(caller.service, () => findNumberedPage(after, limit));
        const isFull = page.events.length === limit;
        readUntil[caller.service] = (isFull ? Number(page.events.at(-1)?.recordedAt) : Date.now()) / 1_000;
        return page;
      };
      let page = await readPage();
      const mustWait = () => page.events.length === 0 && performance.now() < deadline && !ended.aborted;
      if (mustWait()) caller.beginWaiting();
      while (mustWait()) {
        const pause = Math.min(POLL_MILLISECONDS, deadline - performance.now());
        await delay(pause, undefined, { signal: ended }).catch(() => undefined);
        if (!ended.aborted) page = await readPage();
      }
      return page;
    },
  };
};

export type EventService = ReturnType<typeof createEventService>;
