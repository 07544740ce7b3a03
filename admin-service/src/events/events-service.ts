import { setTimeout as delay } from 'node:timers/promises';
import type { Metrics } from '@platform/shared/metrics/metrics';
import { type EventPage, eventsExpired } from './event.ts';
import type { EventStore } from './events-store.ts';

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
  service: string;
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

  return {
    /** Does not hold a connection to Postgres while it waits. @throws AppError 410 EVENTS_EXPIRED */
    read: async ({ service, after, limit, waitSeconds, signal }: Reading): Promise<EventPage> => {
      const deadline = performance.now() + waitSeconds * 1_000;
      const ended = AbortSignal.any([signal, stopping]);
      for (;;) {
        const page = await findNumberedPage(after, limit);
        const isFull = page.events.length === limit;
        readUntil[service] = (isFull ? Number(page.events.at(-1)?.recordedAt) : Date.now()) / 1_000;
        const remaining = deadline - performance.now();
        if (page.events.length > 0 || remaining <= 0 || ended.aborted) return page;
        await delay(Math.min(POLL_MILLISECONDS, remaining), undefined, { signal: ended }).catch(
          () => undefined,
        );
      }
    },
  };
};

export type EventService = ReturnType<typeof createEventService>;
