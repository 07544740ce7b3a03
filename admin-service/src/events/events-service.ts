import { setTimeout as delay } from 'node:timers/promises';
import type { Metrics } from '@platform/shared/metrics/metrics';
import type { ServiceCaller } from '@platform/shared/platform/services/service-shares';
import { type EventPage, eventsExpired } from './event.ts';
import type { EventQuery, EventStore } from './events-store.ts';

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

/** How long a request looks for an event of a wanted type among others before it returns `next`. */
const MAX_SCAN_MILLISECONDS = 3_000;

type Reading = EventQuery & {
  caller: ServiceCaller;
  waitSeconds: number;
  /** Aborted when the reader disconnects. */
  signal: AbortSignal;
};

export const createEventService = ({ events, numberEvents, metrics, stopping }: Dependencies) => {
  /** Unix times in seconds. For a reader without unread events, this is the present time. */
  const readUntil: Record<string, number> = {};
  metrics.labeledGauge(
    'events_read_until_timestamp_seconds',
    'The time up to which a service has read the events',
    'reader',
    () => readUntil,
  );

  const findPage = async (reading: EventQuery) => {
    const page = await events.findPage(reading);
    if (!page) throw eventsExpired();
    return page;
  };

  /** Numbers committed events when all numbered events have been read. */
  const findNumberedPage = async (reading: EventQuery): Promise<EventPage> => {
    const page = await findPage(reading);
    if (page.readUntil !== undefined || !page.hasUnnumbered) return page;
    await numberEvents();
    return await findPage(reading);
  };

  return {
    /**
     * Does not hold a connection to Postgres while it waits.
     * @throws AppError 410 EVENTS_EXPIRED, 429 if the service has too many waiting readers
     */
    read: async ({ caller, waitSeconds, signal, ...reading }: Reading): Promise<EventPage> => {
      const deadline = performance.now() + waitSeconds * 1_000;
      const ended = AbortSignal.any([signal, stopping]);
      const readPage = async (after: string | undefined): Promise<EventPage> => {
        const page = await caller.inTurn(() => findNumberedPage({ ...reading, after }));
        readUntil[caller.service] = Number(page.readUntil ?? Date.now()) / 1_000;
        return page;
      };
      /** Skips pages that have no event of a wanted type. */
      const readUntilWanted = async (after: string | undefined): Promise<EventPage> => {
        let page = await readPage(after);
        const until = performance.now() + MAX_SCAN_MILLISECONDS;
        const mustContinue = () =>
          page.events.length === 0 && (page.readUntil !== undefined || page.hasUnnumbered);
        while (mustContinue() && performance.now() < until && !ended.aborted)
          page = await readPage(page.next);
        return page;
      };
      let page = await readUntilWanted(reading.after);
      const mustWait = () => page.events.length === 0 && performance.now() < deadline && !ended.aborted;
      if (mustWait()) await caller.beginWaiting();
      while (mustWait()) {
        const pause = Math.min(POLL_MILLISECONDS, deadline - performance.now());
        await delay(pause, undefined, { signal: ended }).catch(() => undefined);
        if (!ended.aborted) page = await readUntilWanted(page.next);
      }
      return page;
    },
  };
};

export type EventService = ReturnType<typeof createEventService>;
